import { describe, expect, it } from '@jest/globals';
import { anyCharacter } from '@petstore/arbitraries';
import fc from 'fast-check';
import { parseJson, toJson } from './json.js';

const int64 = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n });
const pet = fc.record({ id: int64, name: fc.string({ unit: anyCharacter }), categoryId: int64 });

describe('the exact JSON of the client', () => {
  it('reads and writes every int64 digit for digit', () => {
    fc.assert(
      fc.property(fc.array(pet), (pets) => {
        expect(parseJson(toJson(pets))).toEqual(pets);
      }),
    );
  });

  it('knows one id beyond 2^53 from its neighbours', () => {
    expect(parseJson('{"id":9007199254740993}')).toEqual({ id: 9007199254740993n });
    expect(parseJson('{"id" : 9223372036854775807 }')).toEqual({ id: 9223372036854775807n });
  });

  it.each(['"id":1', '\\"id\\":1', '","id":2,"', '\\', 'id', '"categoryId": 3'])(
    'leaves a name alone that looks like a member: %s',
    (name) => {
      const text = JSON.stringify({ name, id: 7 });
      expect(parseJson(text)).toEqual({ name, id: 7n });
    },
  );

  it('leaves other numbers numbers, and other members what they are', () => {
    const text = '{"status":404,"weight":1.5e3,"name":"Rex","tags":[null,true,-0.5]}';
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it('writes what JSON.stringify writes when there is no bigint', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(toJson(value)).toBe(JSON.stringify(value));
      }),
    );
    expect(toJson({ a: undefined, b: [undefined], c: new Date(0) })).toBe(
      JSON.stringify({ a: undefined, b: [undefined], c: new Date(0) }),
    );
  });

  it.each(['', '{', '<html>', '{"id":1'])('refuses what is not JSON: %j', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  // What stands in front of a service may respond with anything.
  it('refuses a long string of escapes that does not end, in linear time', () => {
    expect(() => parseJson(`"${'\\"'.repeat(500_000)}`)).toThrow(SyntaxError);
  });
});
