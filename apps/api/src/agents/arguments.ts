import { ApiError, type ErrorDefinition, type SchemaObject } from '@petstore/http-server';
import { IDEMPOTENCY_TOKEN } from '@petstore/persistence';
import { described, integer, text, type TextValue, type Value, type ValueOf } from '@petstore/pet-domain';
import { Cursor, MAX_CURSOR_LENGTH } from '../lists/cursor.js';
import { OPERATION_ERRORS } from '../operations/operation.errors.js';
import { type Members, toolSchema, toSnakeCase } from './results.js';

/** An argument of a tool: a value, and whether a call must have it. */
export interface Argument<T = unknown, IsRequired extends boolean = boolean> extends Value<T> {
  readonly isRequired: IsRequired;
  /** Where it is not `validation_failed`. */
  readonly error?: ErrorDefinition;
}

/** By the name of the member in the contract, which is `petId` where a model sends `animal_id`. */
export type Arguments = Readonly<Record<string, Argument>>;

type Names<A extends Arguments, IsRequired extends boolean> = {
  readonly [Name in keyof A]: A[Name]['isRequired'] extends IsRequired ? Name : never;
}[keyof A];

/** The arguments of a call, by name; those that were not sent are not there. */
export type Given<A extends Arguments> = { readonly [Name in Names<A, true>]: ValueOf<A[Name]> } & {
  readonly [Name in Names<A, false>]?: ValueOf<A[Name]>;
};

/** Most problems that one refusal names. */
const MAX_PROBLEMS = 5;
/** Longest name of an unknown argument that a refusal repeats, in characters. */
const MAX_NAME = 64;

type Optional<T> = Argument<T, false>;

/** The same argument, which a call must have. */
export function required<T>(argument: Optional<T>): Argument<T, true> {
  return { ...argument, isRequired: true };
}

/** A value as an argument. @param meaning for a model */
export function argument<T>(value: Value<T>, meaning: string): Optional<T> {
  return { ...described(value, meaning), isRequired: false };
}

/** An int64 as an argument: a string, since a double loses digits beyond 2^53. A number is taken while none can be lost. */
export function digits<T>({ parse, parseJson, ...value }: TextValue<T>, meaning: string): Optional<T> {
  return {
    ...argument({ ...value, parseJson }, meaning),
    description: `${value.textDescription}: send it as a string`,
    parseJson: (sent) => (typeof sent === 'string' ? parse(sent) : parseJson(sent)),
  };
}

/** How many items a page has at most. */
export function limit(most: number, usual: number): Optional<number> {
  const { schema, ...items } = argument(integer({ least: 1, most }), 'Most items.');
  return { ...items, schema: { ...schema, default: usual } };
}

/** Where a page begins. */
export function cursor<Id extends string>(): Optional<Cursor<Id>> {
  const value = text({
    description: 'the next_cursor of a call with the same arguments',
    parse: (sent) => Cursor.parse<Id>(sent),
    schema: { maxLength: MAX_CURSOR_LENGTH },
  });
  return {
    ...argument(value, 'The next_cursor of the page before; the other arguments stay the same.'),
    error: OPERATION_ERRORS.invalid_cursor,
  };
}

/** Names a call, so that it is carried out once; one namespace with `Idempotency-Key` over HTTP. */
export const IDEMPOTENCY_KEY = argument(
  text({
    description: IDEMPOTENCY_TOKEN.description,
    parse: (token) => (IDEMPOTENCY_TOKEN.isAllowed(token) ? token : undefined),
    schema: { minLength: 1, maxLength: IDEMPOTENCY_TOKEN.maxLength },
  }),
  'A value of your own for this call, such as a UUID: sent again with the same arguments, it returns the first result.',
);

/** What a list of arguments is to clients: flat, and closed. */
export function schemaOf(declared: Arguments): SchemaObject {
  const all = Object.entries(declared);
  const needed = all.filter(([, { isRequired }]) => isRequired).map(([name]) => toSnakeCase(name));
  return {
    type: 'object',
    properties: Object.fromEntries(all.map(([name, { schema }]) => [toSnakeCase(name), toolSchema(schema)])),
    ...(needed.length > 0 && { required: needed }),
    additionalProperties: false,
  };
}

/**
 * The arguments of a call, checked and converted.
 *
 * @throws ApiError that names the wrong ones, with what is allowed
 */
export function readArguments(declared: Arguments, sent: Members): Members {
  const given: Record<string, unknown> = {};
  const unknown = new Set(Object.keys(sent));
  const problems: string[] = [];
  let error: ErrorDefinition | undefined;
  for (const [member, value] of Object.entries(declared)) {
    const name = toSnakeCase(member);
    if (!unknown.delete(name)) {
      if (value.isRequired) problems.push(`${name} is missing: it must be ${value.description}`);
      continue;
    }
    const parsed = sent[name] === null ? undefined : value.parseJson(sent[name]);
    given[member] = parsed;
    if (parsed !== undefined) continue;
    problems.push(`${name} must be ${value.description}`);
    error ??= value.error;
  }
  for (const name of unknown)
    problems.unshift(`${JSON.stringify(name.slice(0, MAX_NAME))} is no argument of this tool`);
  if (problems.length === 0) return given;
  const names = Object.keys(declared).map(toSnakeCase).join(', ');
  const known = unknown.size === 0 ? '' : ` There are: ${names}.`;
  const message = `${problems.slice(0, MAX_PROBLEMS).join('; ')}.${known}`;
  throw new ApiError(error ?? 'validation_failed', { message });
}
