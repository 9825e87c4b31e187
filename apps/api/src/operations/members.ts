import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { type ErrorDefinition, JsonNumber, ParseBy } from '@petstore/http-server';
import type { FreeTexts, Int64Ids } from '@petstore/pet-domain';
import { INT64_SCHEMA, textSchema } from './schemas.js';

/** When a value is allowed, and how others are refused: a value type of a domain, such as `PetName`, is one of texts. */
export interface Rule<Sent> {
  /** The value that stands for what was sent; `undefined` when it is not allowed. */
  readonly parse: (sent: Sent) => unknown;
  /** What is allowed, as a refusal says it: "name must be ...". */
  readonly EXPECTED: string;
}

/** A string of JSON. */
export function text({ parse, EXPECTED }: Rule<string>): Rule<unknown> {
  return { parse: (json) => (typeof json === 'string' ? parse(json) : undefined), EXPECTED };
}

/** A number of JSON whose value is whole, however it is spelt. @param rule for its decimal digits */
export function int64({ parse, EXPECTED }: Rule<string>): Rule<unknown> {
  return {
    parse: (json) => (json instanceof JsonNumber ? parse(json.toDigits() ?? '') : undefined),
    EXPECTED,
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
export function bodyMember(schema: ApiPropertyOptions, { parse, EXPECTED }: Rule<unknown>): BodyMember {
  return (presence = 'required', documented = {}) => {
    const described = { ...schema, ...documented } as ApiPropertyOptions;
    const refusalOfNull = presence === 'patched' ? 'cannot be removed' : `must be ${EXPECTED}`;
    return applyDecorators(
      ApiProperty({
        ...(presence === 'removable' ? nullable(described) : described),
        required: presence === 'required',
      }),
      ParseBy(presence === 'removable' ? (json) => (json === null ? null : parse(json)) : parse, {
        isOptional: presence !== 'required',
        message: ({ property, value }) =>
          `${property} ${value === null ? refusalOfNull : `must be ${EXPECTED}`}`,
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
export function int64Member(type: Int64Ids<unknown>, documented: ApiPropertyOptions): BodyMember {
  return bodyMember({ ...INT64_SCHEMA, ...documented }, int64(type));
}

/** A query parameter, which may be left out and is given at most once. @param rule with an error of its own, if it has one */
export function queryMember(
  schema: ApiPropertyOptions,
  { parse, EXPECTED, error }: Rule<string> & { readonly error?: ErrorDefinition },
): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional(schema),
    // A repeated parameter arrives as an array.
    ParseBy((sent) => (typeof sent === 'string' ? parse(sent) : undefined), {
      isOptional: true,
      message: ({ property }) => `${property} must be ${EXPECTED}, given once`,
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
