import type { Day } from './day.js';
import { FreeText, type FreeTexts } from './free-text.js';

/** A member of a profile is not allowed (docs/contract.md, "Profiles"). */
export class InvalidProfileError extends Error {
  override readonly name = 'InvalidProfileError';

  /**
   * @param path of the member, such as `photos[3].url`; indexes count from 0
   * @param problem what is wrong, behind the path: "must be ..."
   */
  constructor(
    readonly path: string,
    readonly problem: string,
  ) {
    super(`${path} ${problem}`);
  }
}

/** What documents say of a value, as JSON Schema. */
export interface ValueSchema {
  readonly type: 'string' | 'boolean' | 'array' | 'object';
  readonly description?: string;
  readonly example?: unknown;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: ValueSchema;
  readonly minProperties?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, ValueSchema>>;
}

/** How a member of a profile is checked and written, and what documents say of it. */
export interface ProfileRule {
  readonly schema: ValueSchema;
  /**
   * @param value of JSON: a string, a boolean, an array or an object; anything else is refused
   * @param path of the member, for a refusal
   * @param latestBirth the last day on which an animal may be born
   * @returns JSON text without white space, its members in the declared order
   * @throws {InvalidProfileError} for the first member, in declared order, that is wrong
   */
  readonly write: (value: unknown, path: string, latestBirth: Day) => string;
}

/** Rules of an object's members, in the order in which they are written. */
export type ProfileRules = Readonly<Record<string, ProfileRule>>;

/** The same rule, with what the member means. */
export function field(rule: ProfileRule, description: string, example?: unknown): ProfileRule {
  return {
    ...rule,
    schema: { ...rule.schema, description, ...(example !== undefined && { example }) },
  };
}

/**
 * A string.
 *
 * @param description what is allowed, as a refusal says it: "species must be ..."
 * @param isAllowed gets the last day on which an animal may be born, too
 */
export function text(
  isAllowed: (text: string, latestBirth: Day) => boolean,
  description: string,
  schema: Omit<ValueSchema, 'type'>,
): ProfileRule {
  return {
    schema: { type: 'string', ...schema },
    write: (value, path, latestBirth) => {
      if (typeof value !== 'string' || !isAllowed(value, latestBirth))
        throw new InvalidProfileError(path, `must be ${description}`);
      return JSON.stringify(value);
    },
  };
}

/** A text of people. @param pattern in documents */
export function freeTextOf(type: FreeTexts<unknown>, pattern = type.INPUT_PATTERN): ProfileRule {
  const isAllowed = (value: string): boolean => type.parse(value) !== undefined;
  return text(isAllowed, type.description, { minLength: 1, maxLength: type.MAX_CODE_POINTS, pattern });
}

export const freeText = freeTextOf(FreeText);

/** A value of a string enum, in exact case. */
export function oneOf(...values: readonly string[]): ProfileRule {
  const description = `${values.slice(0, -1).join(', ')} or ${values.at(-1) ?? ''}`;
  return text((value) => values.includes(value), description, { enum: values });
}

export const trueOrFalse: ProfileRule = {
  schema: { type: 'boolean' },
  write: (value, path) => {
    if (typeof value !== 'boolean') throw new InvalidProfileError(path, 'must be true or false');
    return String(value);
  },
};

/** 1 to `most` items of one kind. @param items what they are, in the plural */
export function listOf(item: ProfileRule, most: number, items: string): ProfileRule {
  return {
    schema: { type: 'array', minItems: 1, maxItems: most, items: item.schema },
    write: (value, path, latestBirth) => {
      if (!Array.isArray(value) || value.length === 0 || value.length > most)
        throw new InvalidProfileError(path, `must be an array of 1 to ${most} ${items}`);
      return `[${value.map((each, at) => item.write(each, `${path}[${at}]`, latestBirth)).join(',')}]`;
    },
  };
}

/** An object with these members, each of which may be absent unless it is required; others are ignored. */
export function objectOf(members: ProfileRules, required: readonly string[] = []): ProfileRule {
  const schemas = Object.entries(members).map(([name, { schema }]) => [name, schema]);
  const properties = Object.fromEntries(schemas) as Readonly<Record<string, ValueSchema>>;
  return {
    schema: { type: 'object', ...(required.length > 0 && { required }), properties },
    write: (value, path, latestBirth) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw new InvalidProfileError(path, `must be an object with ${Object.keys(members).join(', ')}`);
      return writeMembers(members, value as Members, latestBirth, `${path}.`, required);
    },
  };
}

/** @returns JSON text of the members that there are, in the order of their rules */
export function writeMembers(
  members: ProfileRules,
  object: Members,
  latestBirth: Day,
  prefix = '',
  required: readonly string[] = [],
): string {
  // An import has hundreds of thousands: a loop takes two thirds of what flatMap does.
  let written = '';
  for (const [name, rule] of Object.entries(members)) {
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    if (value !== undefined)
      written += `${written === '' ? '' : ','}"${name}":${rule.write(value, prefix + name, latestBirth)}`;
    else if (required.includes(name)) throw new InvalidProfileError(prefix + name, 'is missing');
  }
  return `{${written}}`;
}

type Members = Readonly<Record<string, unknown>>;
