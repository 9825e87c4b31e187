import { ApiError } from '@petstore/http-server';
import { IDEMPOTENCY_TOKEN } from '@petstore/persistence';
import { described, integer, type Members, text, type TextValue, type Value } from '@petstore/pet-domain';
import { type Cursor, MAX_CURSOR_LENGTH } from '../lists/cursor.js';
import { toSnakeCase } from './results.js';

/** Most problems that one refusal names. */
const MAX_PROBLEMS = 5;
/** Longest name of an unknown argument that a refusal repeats, in characters. */
const MAX_NAME = 64;

/** An int64 as an argument: a string, since a double loses digits beyond 2^53. A number is taken while none can be lost. */
export function digits<T>({ parse, ...value }: TextValue<T>, meaning: string): Value<T> {
  const description = `${value.textDescription}: send it as a string`;
  return described(
    {
      ...value,
      description,
      parseJson: (sent, refuse, path = '') => {
        const parsed = typeof sent === 'string' ? parse(sent) : value.parseJson(sent);
        if (parsed === undefined) refuse?.(path, `must be ${description}`);
        return parsed;
      },
    },
    meaning,
  );
}

/** How many items a page has at most. */
export function limit(most: number, usual: number): Value<number> {
  const { schema, ...items } = described(integer({ least: 1, most }), 'Most items.');
  return { ...items, schema: { ...schema, default: usual } };
}

/** Where a page begins. */
export function cursor<Id extends string>(): Value<Cursor<Id>> {
  return described(
    text({
      description: 'the next_cursor of a call with the same arguments',
      parse: (sent) => sent as Cursor<Id>,
      schema: { maxLength: MAX_CURSOR_LENGTH },
    }),
    'The next_cursor of the page before; the other arguments stay the same.',
  );
}

/** Names a call, so that it is carried out once; one namespace with `Idempotency-Key` over HTTP. */
export const IDEMPOTENCY_KEY = described(
  IDEMPOTENCY_TOKEN,
  'A value of your own for this call, such as a UUID: sent again with the same arguments, it returns the first result.',
);

/**
 * The arguments of a call, checked and converted, by their names in the contract: `petId` where a model sends `animal_id`.
 *
 * @throws ApiError that names the wrong ones, with what is allowed
 */
export function readArguments<Given>({ members = {}, parseJson }: Value<Given>, sent: Members): Given {
  const names = new Map(Object.keys(members).map((member) => [toSnakeCase(member), member]));
  const known = Object.entries(sent).flatMap(([name, value]) => {
    const member = names.get(name);
    return member === undefined ? [] : [[member, value] as const];
  });
  const unknown = Object.keys(sent).filter((name) => !names.has(name));
  const problems = unknown.map(
    (name) => `${JSON.stringify(name.slice(0, MAX_NAME))} is no argument of this tool`,
  );
  const given = parseJson(Object.fromEntries(known), (path, problem) => {
    problems.push(`${toSnakeCase(path)} ${problem}`);
  });
  if (given !== undefined && problems.length === 0) return given;
  const there = names.size === 0 ? 'It takes none' : `There are: ${[...names.keys()].join(', ')}`;
  const all = unknown.length === 0 ? '' : ` ${there}.`;
  throw new ApiError('validation_failed', {
    message: `${problems.slice(0, MAX_PROBLEMS).join('; ')}.${all}`,
  });
}
