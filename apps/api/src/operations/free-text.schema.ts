import { FreeText } from '@petstore/pet-domain';

/** What the document says of a text in responses. */
export const FREE_TEXT_SCHEMA = {
  type: 'string',
  minLength: 1,
  maxLength: FreeText.MAX_CODE_POINTS,
  pattern: '^[^\\u0000-\\u001F\\u007F]+$',
} as const;

const CONTROL = '\\u0000-\\u001F\\u007F';

/** White space, zero-width and other invisible characters of the Basic Multilingual Plane. */
const BLANK = [
  ...[' ', '\\u0085', '\\u00A0', '\\u00AD', '\\u034F', '\\u061C', '\\u115F-\\u1160', '\\u1680'],
  ...['\\u17B4-\\u17B5', '\\u180B-\\u180F', '\\u2000-\\u200F', '\\u2028-\\u202F', '\\u205F-\\u206F'],
  ...['\\u2800', '\\u3000', '\\u3164', '\\uFE00-\\uFE0F', '\\uFEFF', '\\uFFA0', '\\uFFF0-\\uFFF8'],
].join('');

/**
 * What the document says of a text in a request: the pattern admits what `FreeText` admits, so that generators of
 * requests make none that is refused. It admits two kinds of texts that are refused, because no expression names them
 * in all dialects: those with lone surrogates, which are no characters, and those of nothing but invisible characters
 * beyond U+FFFF, such as U+E0020.
 */
export const FREE_TEXT_INPUT_SCHEMA = {
  ...FREE_TEXT_SCHEMA,
  pattern: `^[^${CONTROL}]*[^${CONTROL}${BLANK}][^${CONTROL}]*$`,
} as const;

/** How a body gives one. */
export const FREE_TEXT_RULE = {
  parse: (json: unknown): FreeText | undefined =>
    typeof json === 'string' ? FreeText.parse(json) : undefined,
  expected: FreeText.EXPECTED,
} as const;
