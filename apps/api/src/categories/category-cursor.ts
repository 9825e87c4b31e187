import { CategoryId } from '@petstore/pet-domain';
import { CHECK_LENGTH, fromBase36, isIntact, toBase36, withCheck } from '../lists/cursor-text.js';

const FORM = /^[0-9a-z]{7}c_[1-9a-z][0-9a-z]{0,12}$/;
const PREFIX = 'c_';

/** The place of a page in the list of categories as text: `<check>c_<id>`. */
export const CategoryCursor = {
  /** @param before id of the last category of the page before */
  encode: (before: CategoryId): string => withCheck(PREFIX + toBase36(before)),
  /** The id, or `undefined` when `encode` never made such a text. */
  decode: (text: string): CategoryId | undefined =>
    FORM.test(text) && isIntact(text)
      ? CategoryId.parse(fromBase36(text.slice(CHECK_LENGTH + PREFIX.length)))
      : undefined,
} as const;
