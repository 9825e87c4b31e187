import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonTextOf, presentMembersJsonOf } from './fields-json.js';
import type { Fields } from './fields.js';
import { anyName } from './testing/any-pet.js';

interface Sample {
  readonly digits: string;
  readonly text: string;
  readonly json: string;
  readonly word: string;
}

const FIELDS: Fields<Sample> = { digits: 'int64', text: 'text', json: 'json', word: 'word' };
const whole = jsonTextOf<Sample>(FIELDS);
const present = presentMembersJsonOf<Partial<Sample>>(FIELDS);

const sample: fc.Arbitrary<Sample> = fc.record({
  digits: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String),
  text: anyName,
  json: fc.json(),
  word: fc.constantFrom('sold', 'pet.created', '2026-11-21T19:12:07.123Z'),
});

/** As JSON.stringify writes it, but for the int64 and what is JSON already. */
function expected(value: Partial<Sample>): string {
  const members = (Object.keys(FIELDS) as (keyof Sample)[]).flatMap((member) => {
    const written = value[member];
    if (written === undefined) return [];
    const isQuoted = FIELDS[member] === 'text' || FIELDS[member] === 'word';
    return `"${member}":${isQuoted ? JSON.stringify(written) : written}`;
  });
  return `{${members.join(',')}}`;
}

describe('the JSON text of declared fields', () => {
  it('is that of all members, in the order of their declaration', () => {
    fc.assert(
      fc.property(sample, (value) => {
        expect(whole(value)).toBe(expected(value));
        expect(present(value)).toBe(whole(value));
      }),
    );
  });

  it('leaves out what a value does not have', () => {
    fc.assert(
      fc.property(sample, fc.subarray(Object.keys(FIELDS) as (keyof Sample)[]), (value, absent) => {
        const without = { ...value, ...Object.fromEntries(absent.map((member) => [member, undefined])) };
        expect(present(without)).toBe(expected(without));
      }),
    );
    expect(present({})).toBe('{}');
  });

  it('never writes a member that is not declared', () => {
    const hostile = JSON.parse('{"word":"sold","owner":"x","__proto__":{"digits":"1"}}') as Partial<Sample>;
    expect(present(hostile)).toBe('{"word":"sold"}');
  });
});
