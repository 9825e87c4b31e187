import type { SchemaObject } from '@petstore/http-server';
import {
  described,
  INT64_MAX,
  integer,
  listOf,
  optional,
  text,
  type Value,
  type ValueSchema,
} from '@petstore/pet-domain';

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

/**
 * What a model reads of a value: patterns only cost it attention, names are in snake_case, and an int64 is a string, since a
 * double loses digits.
 */
export function toolSchema(value: ValueSchema): SchemaObject {
  const { title: _title, pattern: _pattern, example: _example, description, ...read } = value;
  const { format: _format, items, properties, required, ...schema } = read;
  // It may name other members.
  const meaning = description?.replace(/`(\w+)`/g, (_quoted, member: string) => toSnakeCase(member));
  if (typeof schema.maximum === 'bigint')
    return {
      type: 'string',
      pattern: '^[0-9]+$',
      maxLength: INT64_MAX.length,
      description: meaning ?? 'Decimal digits.',
    };
  return {
    ...schema,
    ...(meaning !== undefined && { description: meaning }),
    ...(items && { items: toolSchema(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [toSnakeCase(name), toolSchema(member)]),
      ),
    }),
    ...(required && { required: required.map(toSnakeCase) }),
  } as SchemaObject;
}

/** A text of which nothing is to be said. */
export const TEXT = text({ description: 'a text', parse: (sent) => sent, schema: {} });
export const COUNT = integer({ least: 0, most: Number.MAX_SAFE_INTEGER });
export const NEXT_CURSOR = optional(
  described(TEXT, 'Send it as `cursor` for the next page; absent when there are no more.'),
);

/** All that a result may have of something. */
export function someOf<T>(item: Value<T>, most: number): Value<readonly T[]> {
  return listOf(item, { least: 0, most, description: `a list of at most ${most}` });
}
