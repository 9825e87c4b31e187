import type { SchemaObject } from '@petstore/http-server';
import { FreeText, INT64_MAX } from '@petstore/pet-domain';

/** 1 to 2^63 - 1. OpenAPI types have no int64: the bound is printed digit for digit by the document's writer. */
export const INT64_SCHEMA = {
  type: 'integer',
  format: 'int64',
  minimum: 1,
  maximum: BigInt(INT64_MAX) as unknown as number,
} as const;

/** 0 to 2^63 - 1. */
export const COUNT_SCHEMA = { ...INT64_SCHEMA, minimum: 0 } as const;

/** A moment as responses have it: RFC 3339, UTC, with milliseconds, by the clock of the database. */
export const INSTANT_SCHEMA = {
  type: 'string',
  format: 'date-time',
  maxLength: 24,
  example: '2026-11-21T19:12:07.123Z',
} as const;

/** A type of event, as responses have it: more are added over time. */
export const EVENT_TYPE_SCHEMA = { type: 'string', maxLength: 64, pattern: '^[a-z]+(\\.[a-z_]+)+$' } as const;

const TAG = '(?:W/)?"[!#-~\\u0080-\\u00FF]*"';

/** `*` or a list of at most 64 entity tags (RFC 9110, section 13.1.1). */
export const PRECONDITION_SCHEMA: SchemaObject = {
  type: 'string',
  pattern: `^(?:\\*|[\\t ,]*${TAG}(?:[\\t ]*,[\\t ,]*${TAG}){0,63}[\\t ,]*)$`,
};

/** A named array: the decorators can only make nameless ones. */
export function arrayOf(schema: string, maxItems: number, description: string): SchemaObject {
  return { type: 'array', maxItems, items: { $ref: `#/components/schemas/${schema}` }, description };
}

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
 * What the document says of a text in a request. The pattern also admits two kinds of texts that `FreeText` refuses, because
 * no expression names them in all dialects: those with lone surrogates, and those of nothing but invisible characters beyond
 * U+FFFF, such as U+E0020.
 */
export const FREE_TEXT_INPUT_SCHEMA = {
  ...FREE_TEXT_SCHEMA,
  pattern: `^[^${CONTROL}]*[^${CONTROL}${BLANK}][^${CONTROL}]*$`,
} as const;
