import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { type ErrorDefinition, ParseBy, type SchemaObject } from '@petstore/http-server';
import { INSTANT, int64, type TextValue, type Value, type ValueSchema } from '@petstore/pet-domain';

/** OpenAPI types have no int64: its bound is a bigint, which the document's writer prints digit for digit. */
type DocumentedSchema = SchemaObject & ApiPropertyOptions;

/** A schema as the decorators of @nestjs/swagger take it. */
function documented({ title, ...schema }: ValueSchema): DocumentedSchema {
  return { ...schema, ...(title !== undefined && { enumName: title }) } as DocumentedSchema;
}

/** What is shown of a value in responses. */
interface Shown {
  readonly schema: ValueSchema;
  readonly PATTERN?: string;
  readonly isOptional?: boolean;
}

/** What the document says of a value that responses have. */
export function responseSchema({ schema, PATTERN: pattern }: Shown): DocumentedSchema {
  return documented({ ...schema, ...(pattern !== undefined && { pattern }) });
}

/** Documents the members of a response by the fields of its resource, whose JSON is made from them, too. */
export function ResponseOf(fields: Readonly<Record<string, Shown>>): ClassDecorator {
  return ({ prototype }) => {
    for (const [name, field] of Object.entries(fields)) {
      const options: ApiPropertyOptions = responseSchema(field);
      const decorate = ApiProperty({ ...options, required: field.isOptional !== true } as ApiPropertyOptions);
      decorate(prototype as object, name);
    }
  };
}

/** A resource as examples show it: the fields that it always has. @param own values in place of those, or beside them */
export function exampleOf(fields: Readonly<Record<string, Shown>>, own: object = {}): object {
  const always = Object.entries(fields).filter(([, { isOptional }]) => isOptional !== true);
  return { ...Object.fromEntries(always.map(([name, { schema }]) => [name, schema.example])), ...own };
}

/** A field whose words are those of today: more are added over time. @param form of all of them */
export function openEnum(
  { schema: { enum: _today, title: _title, ...schema }, ...field }: Shown,
  form: Pick<ValueSchema, 'maxLength' | 'pattern'> = { maxLength: 32, pattern: '^[a-z_]+$' },
): Shown {
  return { ...field, schema: { ...schema, ...form } };
}

/** The schemas that the document has by name of a value: its own, and what in it has a title, which is referred to. */
export function componentsOf(value: Value<unknown>): Readonly<Record<string, SchemaObject>> {
  const components: Record<string, SchemaObject> = {};
  const placed = ({ title, items, properties, ...schema }: ValueSchema): SchemaObject => {
    const members = Object.entries(properties ?? {}).map(([name, each]) => [name, placed(each)] as const);
    const own = {
      ...schema,
      ...(properties && { properties: Object.fromEntries(members) }),
      ...(items && { items: placed(items) }),
    } as SchemaObject;
    if (title === undefined) return own;
    components[title] = own;
    return { $ref: `#/components/schemas/${title}` } as SchemaObject;
  };
  placed(value.schema);
  return components;
}

/** 1 to 2^63 - 1. */
export const INT64_SCHEMA = responseSchema(int64());

/** A moment as responses have it: RFC 3339, UTC, with milliseconds, by the clock of the database. */
export const INSTANT_SCHEMA = responseSchema(INSTANT);

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

/**
 * Whether a body must have a member. In a merge patch `null` removes a member (RFC 7396): it is refused for `patched`, and
 * is `null` in the DTO for `removable`. Elsewhere `null` is refused.
 */
export type Presence = 'required' | 'optional' | 'patched' | 'removable';

/** A value as a member of bodies: its rule, and what the document says of it. @param here what it means in this body */
export function BodyMember(
  { schema, description, parseJson }: Value<unknown>,
  presence: Presence = 'required',
  here: Pick<ApiPropertyOptions, 'description'> = {},
): PropertyDecorator {
  const described: ApiPropertyOptions = { ...documented(schema), ...here };
  const refusalOfNull = presence === 'patched' ? 'cannot be removed' : `must be ${description}`;
  return applyDecorators(
    ApiProperty({
      ...(presence === 'removable' ? nullable(described) : described),
      required: presence === 'required',
    }),
    ParseBy((json) => (json === null && presence === 'removable' ? null : parseJson(json)), {
      isOptional: presence !== 'required',
      message: ({ property, value: sent }) =>
        `${property} ${sent === null ? refusalOfNull : `must be ${description}`}`,
    }),
  );
}

/**
 * A value as a query parameter, which may be left out and is given at most once.
 *
 * @param here what the document says of it beside its schema
 * @param error where it is not `invalid_parameter`
 */
export function QueryMember(
  { kind, schema, parse, textDescription }: TextValue<unknown>,
  here: object,
  error?: ErrorDefinition,
): PropertyDecorator {
  // A list is one text with commas. Tools that have a form for it, such as Swagger UI, leave out one that was emptied again; of a
  // list that must have something they would send nothing at all, and not say why.
  const form = kind === 'list' && { style: 'form', explode: false, minItems: undefined };
  return applyDecorators(
    ApiPropertyOptional({ ...documented(schema), ...form, ...here } as ApiPropertyOptions),
    // A repeated parameter arrives as an array.
    ParseBy((sent) => (typeof sent === 'string' ? parse(sent) : undefined), {
      isOptional: true,
      message: ({ property }) => `${property} must be ${textDescription}, given once`,
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
