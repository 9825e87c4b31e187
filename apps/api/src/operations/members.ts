import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { type ErrorDefinition, JsonNumber, ParseBy, type SchemaObject } from '@petstore/http-server';
import { type FreeTexts, INT64_MAX, type TextValue } from '@petstore/pet-domain';

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

type DocumentedText = Pick<FreeTexts<unknown>, 'MAX_CODE_POINTS' | 'PATTERN'>;

/** What the document says of a text in responses. */
export function textSchema({ MAX_CODE_POINTS, PATTERN }: DocumentedText) {
  return { type: 'string', minLength: 1, maxLength: MAX_CODE_POINTS, pattern: PATTERN } as const;
}

/** When a value is allowed, and how others are refused: a value type of a domain, such as `PetName`, is one of texts. */
export interface Rule<Sent> {
  /** The value that stands for what was sent; `undefined` when it is not allowed. */
  readonly parse: (sent: Sent) => unknown;
  /** What is allowed, as a refusal says it: "name must be ...". */
  readonly description: string;
}

/** A string of JSON. */
export function text({ parse, description }: Rule<string>): Rule<unknown> {
  return { parse: (json) => (typeof json === 'string' ? parse(json) : undefined), description };
}

/** A number of JSON whose value is whole, however it is spelt. @param rule for its decimal digits */
export function int64({ parse, description }: Rule<string>): Rule<unknown> {
  return {
    parse: (json) => (json instanceof JsonNumber ? parse(json.toDigits() ?? '') : undefined),
    description,
  };
}

/**
 * Whether a body must have a member. In a merge patch `null` removes a member (RFC 7396): it is refused for `patched`, and
 * is `null` in the DTO for `removable`. Elsewhere `null` is refused.
 */
export type Presence = 'required' | 'optional' | 'patched' | 'removable';

/** A decorator for the properties of DTOs that are the same member, with its rule and what the document says of it. */
export type BodyMember = (presence?: Presence, documented?: ApiPropertyOptions) => PropertyDecorator;

/** A member of bodies. @param schema in the document; a DTO may have another description */
export function bodyMember(schema: ApiPropertyOptions, { parse, description }: Rule<unknown>): BodyMember {
  return (presence = 'required', documented = {}) => {
    const described = { ...schema, ...documented } as ApiPropertyOptions;
    const refusalOfNull = presence === 'patched' ? 'cannot be removed' : `must be ${description}`;
    return applyDecorators(
      ApiProperty({
        ...(presence === 'removable' ? nullable(described) : described),
        required: presence === 'required',
      }),
      ParseBy(presence === 'removable' ? (json) => (json === null ? null : parse(json)) : parse, {
        isOptional: presence !== 'required',
        message: ({ property, value }) =>
          `${property} ${value === null ? refusalOfNull : `must be ${description}`}`,
      }),
    );
  };
}

/** A text of people as a member of bodies; its bounds in the document are those of the value type. */
export function textMember(type: FreeTexts<unknown>, documented: ApiPropertyOptions): BodyMember {
  const schema = { ...textSchema(type), ...documented, pattern: type.INPUT_PATTERN };
  return bodyMember(schema, text(type));
}

/** An int64 as a member of bodies. */
export function int64Member(type: TextValue<unknown>, documented: ApiPropertyOptions): BodyMember {
  return bodyMember({ ...INT64_SCHEMA, ...documented }, int64(type));
}

/** A query parameter, which may be left out and is given at most once. @param rule with an error of its own, if it has one */
export function queryMember(
  schema: ApiPropertyOptions,
  { parse, description, error }: Rule<string> & { readonly error?: ErrorDefinition },
): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional(schema),
    // A repeated parameter arrives as an array.
    ParseBy((sent) => (typeof sent === 'string' ? parse(sent) : undefined), {
      isOptional: true,
      message: ({ property }) => `${property} must be ${description}, given once`,
      ...(error !== undefined && { context: { error } }),
    }),
  );
}

/** OpenAPI 3.1 knows `null` as a type, which the package's types do not. */
function nullable({ description = '', example, ...schema }: ApiPropertyOptions): object {
  return {
    description: `${description} \`null\` takes it away.`,
    example: example as unknown,
    oneOf: [schema, { type: 'null' }],
  };
}
