import { FreeText } from './free-text.js';

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

/**
 * How a member of a profile is checked and written.
 *
 * @param value of JSON: a string, a boolean, an array or an object; anything else is refused
 * @param path of the member, for a refusal
 * @returns JSON text without white space, its members in the declared order
 * @throws {InvalidProfileError} for the first member, in declared order, that is wrong
 */
export type ProfileRule = (value: unknown, path: string) => string;

/** Rules of an object's members, in the order in which they are written. */
export type ProfileRules = Readonly<Record<string, ProfileRule>>;

/** A string. @param expected what is allowed, as a refusal says it: "species must be ..." */
export function text(isAllowed: (text: string) => boolean, expected: string): ProfileRule {
  return (value, path) => {
    if (typeof value !== 'string' || !isAllowed(value))
      throw new InvalidProfileError(path, `must be ${expected}`);
    return JSON.stringify(value);
  };
}

export const freeText = text((value) => FreeText.parse(value) !== undefined, FreeText.EXPECTED);

/** One of some words, in exact case. */
export function oneOf(words: readonly string[]): ProfileRule {
  return text((value) => words.includes(value), `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`);
}

export const trueOrFalse: ProfileRule = (value, path) => {
  if (typeof value !== 'boolean') throw new InvalidProfileError(path, 'must be true or false');
  return String(value);
};

/** 1 to `most` items of one kind. @param items what they are, in the plural */
export function listOf(item: ProfileRule, most: number, items: string): ProfileRule {
  return (value, path) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > most)
      throw new InvalidProfileError(path, `must be an array of 1 to ${most} ${items}`);
    return `[${value.map((each, at) => item(each, `${path}[${at}]`)).join(',')}]`;
  };
}

/** An object with these members, each of which may be absent; others are ignored, whatever they are. */
export function objectOf(members: ProfileRules, required: readonly string[] = []): ProfileRule {
  return (value, path) => {
    if (!isObject(value))
      throw new InvalidProfileError(path, `must be an object with ${Object.keys(members).join(', ')}`);
    return writeMembers(members, value, `${path}.`, required);
  };
}

/** @returns JSON text of the members that there are, in the order of their rules */
export function writeMembers(
  members: ProfileRules,
  object: Readonly<Record<string, unknown>>,
  prefix = '',
  required: readonly string[] = [],
): string {
  const written = Object.entries(members).flatMap(([name, rule]) => {
    const path = prefix + name;
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    if (value !== undefined) return [`"${name}":${rule(value, path)}`];
    if (required.includes(name)) throw new InvalidProfileError(path, 'is missing');
    return [];
  });
  return `{${written.join(',')}}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
