import { ApiError, type ErrorDefinition, type SchemaObject } from '@petstore/http-server';
import { IDEMPOTENCY_TOKEN } from '@petstore/persistence';
import { FreeText, INT64_MAX, type StringEnum } from '@petstore/pet-domain';
import { MAX_CURSOR_LENGTH } from '../lists/list-parameters.js';
import { OPERATION_ERRORS } from '../operations/operation.errors.js';
import { type Members, toSnakeCase } from './results.js';

/** An argument of a tool: what a client is told of it, and how it is read. */
export interface Argument<Value = unknown, IsRequired extends boolean = boolean> {
  readonly schema: SchemaObject;
  /** What is allowed, as a refusal says it: "limit must be ...". */
  readonly description: string;
  /** The value of what was sent, which is JSON and not `null`; `undefined` when it is not allowed. */
  readonly parse: (sent: unknown) => Value | undefined;
  readonly isRequired: IsRequired;
  /** Where it is not `validation_failed`. */
  readonly error?: ErrorDefinition;
}

/** By the name of the member in the contract, which is `petId` where a model sends `animal_id`. */
export type Arguments = Readonly<Record<string, Argument>>;

type Names<A extends Arguments, IsRequired extends boolean> = {
  readonly [Name in keyof A]: A[Name]['isRequired'] extends IsRequired ? Name : never;
}[keyof A];
type ValueOf<A> = A extends Argument<infer Value> ? Value : never;

/** The arguments of a call, by name; those that were not sent are not there. */
export type Given<A extends Arguments> = { readonly [Name in Names<A, true>]: ValueOf<A[Name]> } & {
  readonly [Name in Names<A, false>]?: ValueOf<A[Name]>;
};

/** Most problems that one refusal names. */
const MAX_PROBLEMS = 5;
/** Longest name of an unknown argument that a refusal repeats, in characters. */
const MAX_NAME = 64;

type Optional<Value> = Argument<Value, false>;

/** The same argument, which a call must have. */
export function required<Value>(argument: Optional<Value>): Argument<Value, true> {
  return { ...argument, isRequired: true };
}

/** A text, by the rule of a value type such as `PetName`. */
export function text<Value>(
  meaning: string,
  type: { readonly description: string; readonly parse: (text: string) => Value | undefined },
  schema: SchemaObject = { minLength: 1, maxLength: FreeText.MAX_CODE_POINTS },
): Optional<Value> {
  return {
    schema: { type: 'string', ...schema, description: meaning },
    description: type.description,
    parse: (sent) => (typeof sent === 'string' ? type.parse(sent) : undefined),
    isRequired: false,
  };
}

/** A value of a string enum. */
export function oneOf<Value extends string>(meaning: string, values: StringEnum<Value>): Optional<Value> {
  return text(meaning, values, { enum: [...values.ALL] });
}

/**
 * An id, or another int64. Declared as a string, since a double loses digits beyond 2^53: a number is taken while none can
 * be lost.
 */
export function digits<Id>(
  meaning: string,
  { parse }: { readonly parse: (text: string) => Id | undefined },
  least: 0 | 1 = 1,
): Optional<Id> {
  const description = `a whole number from ${least} to ${INT64_MAX} in plain decimal digits: send it as a string`;
  const ofText = text(meaning, { description, parse }, { pattern: '^[0-9]+$', maxLength: INT64_MAX.length });
  return {
    ...ofText,
    parse: (sent) => ofText.parse(Number.isSafeInteger(sent) ? String(sent) : sent),
  };
}

/** How many items a page has at most. */
export function limit(most: number, usual: number): Optional<number> {
  const isLimit = (sent: unknown): sent is number =>
    Number.isSafeInteger(sent) && Number(sent) >= 1 && Number(sent) <= most;
  return {
    schema: { type: 'integer', minimum: 1, maximum: most, default: usual, description: 'Most items.' },
    description: `a whole number from 1 to ${most}`,
    parse: (sent) => (isLimit(sent) ? sent : undefined),
    isRequired: false,
  };
}

/** Where a page begins. */
export function cursor<Position>(decode: (text: string) => Position | undefined): Optional<Position> {
  const meaning = 'The next_cursor of the page before; the other arguments stay the same.';
  const type = { parse: decode, description: 'the next_cursor of a call with the same arguments' };
  return {
    ...text(meaning, type, { maxLength: MAX_CURSOR_LENGTH }),
    error: OPERATION_ERRORS.invalid_cursor,
  };
}

/** True or false. */
export function flag(meaning: string): Optional<boolean> {
  return {
    schema: { type: 'boolean', description: meaning },
    description: 'true or false',
    parse: (sent) => (typeof sent === 'boolean' ? sent : undefined),
    isRequired: false,
  };
}

/** Names a call, so that it is carried out once; one namespace with `Idempotency-Key` over HTTP. */
export const IDEMPOTENCY_KEY = text(
  'A value of your own for this call, such as a UUID: sent again with the same arguments, it returns the first result.',
  {
    description: IDEMPOTENCY_TOKEN.description,
    parse: (token) => (IDEMPOTENCY_TOKEN.isAllowed(token) ? token : undefined),
  },
);

/** What a list of arguments is to clients: flat, and closed. */
export function schemaOf(declared: Arguments): SchemaObject {
  const all = Object.entries(declared);
  const needed = all.filter(([, { isRequired }]) => isRequired).map(([name]) => toSnakeCase(name));
  return {
    type: 'object',
    properties: Object.fromEntries(all.map(([name, { schema }]) => [toSnakeCase(name), schema])),
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
  for (const [member, argument] of Object.entries(declared)) {
    const name = toSnakeCase(member);
    if (!unknown.delete(name)) {
      if (argument.isRequired) problems.push(`${name} is missing: it must be ${argument.description}`);
      continue;
    }
    const value = sent[name] === null ? undefined : argument.parse(sent[name]);
    given[member] = value;
    if (value !== undefined) continue;
    problems.push(`${name} must be ${argument.description}`);
    error ??= argument.error;
  }
  for (const name of unknown)
    problems.unshift(`${JSON.stringify(name.slice(0, MAX_NAME))} is no argument of this tool`);
  if (problems.length === 0) return given;
  const message = `${problems.slice(0, MAX_PROBLEMS).join('; ')}.`;
  throw new ApiError(error ?? 'validation_failed', { message });
}
