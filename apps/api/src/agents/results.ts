import type { SchemaObject } from '@petstore/http-server';
import { type Fields, fieldsOf } from '@petstore/pet-domain';

/** Members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * An int64 as a member of JSON that this service has written. Within a string the quotation marks would be escaped, and a
 * colon only follows a name: nothing else looks like this.
 */
const INT64_MEMBER = /"(id|petId|categoryId)":([0-9]+)/g;

/** JSON of the contract as a value, its int64s as strings: a double, here or in a client, would lose digits. */
export function parseExactly(json: string): unknown {
  return JSON.parse(json.replace(INT64_MEMBER, '"$1":"$2"'));
}

/** What members of the contract are called towards a model; as they turn up, those in snake_case join them. */
const NAMES = new Map([
  ['petId', 'animal_id'],
  ['pet', 'animal'],
]);

/** A name of the contract, of which there are some dozens, in snake_case. */
export function toSnakeCase(name: string): string {
  let known = NAMES.get(name);
  if (known === undefined)
    NAMES.set(name, (known = name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)));
  return known;
}

/** The same value with its members named for a model, at every depth. */
export function named(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(named);
  if (typeof value !== 'object' || value === null) return value;
  const members: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(value)) members[toSnakeCase(name)] = named(each);
  return members;
}

/** JSON of the contract, as a tool gives it to a model. */
export function resultOf(json: string): object {
  return named(parseExactly(json)) as object;
}

export const ID: SchemaObject = { type: 'string', description: 'Decimal digits.' };
export const TEXT: SchemaObject = { type: 'string' };
export const COUNT: SchemaObject = { type: 'integer', minimum: 0 };
export const NEXT_CURSOR: SchemaObject = {
  type: 'string',
  description: 'Send it as `cursor` for the next page; absent when there are no more.',
};

export function listOf(items: SchemaObject): SchemaObject {
  return { type: 'array', items };
}

type Properties = Readonly<Record<string, SchemaObject>>;

/** An object. @param optional properties that it may lack */
export function objectOf(properties: Properties, optional: Properties = {}): SchemaObject {
  return { type: 'object', properties: { ...properties, ...optional }, required: Object.keys(properties) };
}

/**
 * A resource, by its fields.
 *
 * @param known what else is known of members than that they are texts
 * @param optional properties that it may have beside its fields
 */
export function resourceOf<T>(
  fields: Fields<T>,
  known: { readonly [Member in keyof T]?: SchemaObject } = {},
  optional: Properties = {},
): SchemaObject {
  const properties = (isOptional: boolean): Properties =>
    Object.fromEntries(
      fieldsOf(fields)
        .filter((field) => field.isOptional === isOptional)
        .map(({ member, kind }) => [
          toSnakeCase(member),
          { ...(kind === 'int64' ? ID : TEXT), ...known[member as keyof T] },
        ]),
    );
  return objectOf(properties(false), { ...properties(true), ...optional });
}
