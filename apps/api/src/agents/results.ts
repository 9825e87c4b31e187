import type { SchemaObject } from '@petstore/http-server';

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

/** What a model is told of properties when it calls a tool, it need not be told of results again. */
export function withoutDescriptions<Name extends string>(
  properties: Readonly<Record<Name, SchemaObject>>,
): Record<Name, SchemaObject> {
  const entries = Object.entries<SchemaObject>(properties);
  return Object.fromEntries(
    entries.map(([name, { description: _description, ...schema }]) => [name, schema]),
  ) as Record<Name, SchemaObject>;
}

export function listOf(items: SchemaObject): SchemaObject {
  return { type: 'array', items };
}

/** An object. @param optional properties that it may lack */
export function objectOf(
  properties: Readonly<Record<string, SchemaObject>>,
  optional: Readonly<Record<string, SchemaObject>> = {},
): SchemaObject {
  return { type: 'object', properties: { ...properties, ...optional }, required: Object.keys(properties) };
}
