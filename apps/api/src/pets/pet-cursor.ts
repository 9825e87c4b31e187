import { CategoryId, PetId, type PetListPosition, PetStatus } from '@petstore/pet-domain';
import { CHECK_LENGTH, fromBase36, isIntact, toBase36, withCheck } from '../lists/cursor-text.js';

/*
 * A cursor on the wire is `<check><status><id>`, in a list of one category `<check><status><id>-<category>`, opaque to
 * clients: the status is one letter, the numbers are base 36, and the check makes a cursor that was cut, mistyped or
 * stitched together recognisable. It is no secret: whoever forges one reaches only a position that the list would show
 * anyway.
 */
const LETTERS: ReadonlyMap<PetStatus | undefined, string> = new Map([
  [undefined, 'z'],
  ...PetStatus.ALL.map((status) => [status, status.charAt(0)] as const),
]);
const STATUSES = new Map([...LETTERS].map(([status, letter]) => [letter, status]));

const FORM = /^[0-9a-z]{7}[a-z][1-9a-z][0-9a-z]{0,12}(-[1-9a-z][0-9a-z]{0,12})?$/;
/** Stands before the category. */
const SEPARATOR = '-';

/** The text form of a {@link PetListPosition}. */
export const PetCursor = {
  /** The cursor as clients carry it: letters, digits and a hyphen only, so that a URL holds it as it is. */
  encode({ status, categoryId, before }: PetListPosition): string {
    const category = categoryId === undefined ? '' : SEPARATOR + toBase36(categoryId);
    const payload = `${LETTERS.get(status) ?? ''}${toBase36(before)}${category}`;
    return withCheck(payload);
  },
  /** The position that `text` stands for, or `undefined` when `encode` never made such a text. */
  decode(text: string): PetListPosition | undefined {
    if (!FORM.test(text) || !isIntact(text)) return undefined;
    const [list = '', category] = text.split(SEPARATOR);
    const letter = list.charAt(CHECK_LENGTH);
    const before = PetId.parse(fromBase36(list.slice(CHECK_LENGTH + 1)));
    if (!STATUSES.has(letter) || before === undefined) return undefined;
    const status = STATUSES.get(letter);
    if (category === undefined) return { status, before };
    const categoryId = CategoryId.parse(fromBase36(category));
    return categoryId && { status, categoryId, before };
  },
} as const;
