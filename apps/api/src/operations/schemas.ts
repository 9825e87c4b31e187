import type { SchemaObject } from '@petstore/http-server';
import { type FreeTexts, INT64_MAX } from '@petstore/pet-domain';

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

type DocumentedText = Pick<FreeTexts<unknown>, 'MAX_CODE_POINTS' | 'PATTERN' | 'INPUT_PATTERN'>;

/** What the document says of a text in responses. */
export function textSchema({ MAX_CODE_POINTS, PATTERN }: DocumentedText) {
  return { type: 'string', minLength: 1, maxLength: MAX_CODE_POINTS, pattern: PATTERN } as const;
}

/** What the document says of a text in requests. */
export function textInputSchema(type: DocumentedText) {
  return { ...textSchema(type), pattern: type.INPUT_PATTERN } as const;
}
