import { FreeText } from '@petstore/pet-domain';

/** What the document says of a text that people write and read. */
export const FREE_TEXT_SCHEMA = {
  type: 'string',
  minLength: 1,
  maxLength: FreeText.MAX_CODE_POINTS,
  pattern: '^[^\\u0000-\\u001F\\u007F]+$',
} as const;

/** How a body gives one. */
export const FREE_TEXT_RULE = {
  parse: (json: unknown): FreeText | undefined =>
    typeof json === 'string' ? FreeText.parse(json) : undefined,
  expected: FreeText.EXPECTED,
} as const;
