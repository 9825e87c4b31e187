import { describe, expect, it } from '@jest/globals';
import { anyCharacter } from '@petstore/arbitraries';
import fc from 'fast-check';
import { JsonNumber, type JsonObject, JsonObjectError, parseJsonObject } from './json-object.js';

const parse = (text: string, wanted?: readonly string[]): JsonObject =>
  parseJsonObject(Buffer.from(text), wanted);

/** What JSON.parse would have made of it. */
function plain(value: unknown): unknown {
  return value instanceof JsonNumber ? Number(value.source) : value;
}
const plainMembers = (members: JsonObject): [string, unknown][] =>
  Object.entries(members).map(([name, value]) => [name, plain(value)]);

/** What a parser returns, or throws. */
function attempt<T>(parser: () => T): T | Error {
  try {
    return parser();
  } catch (error) {
    return error as Error;
  }
}

describe('parseJsonObject', () => {
  it('keeps numbers as they were written', () => {
    expect(parse('{"a": 9007199254740993, "b":-1.50e+2}')).toEqual({
      a: new JsonNumber('9007199254740993'),
      b: new JsonNumber('-1.50e+2'),
    });
  });

  it('reads what JSON.parse reads', () => {
    const texts = fc
      .dictionary(fc.string({ unit: anyCharacter }), fc.jsonValue({ depthSize: 'small' }))
      .chain((value) =>
        fc.constantFrom(undefined, 1, '\t \r\n').map((space) => JSON.stringify(value, null, space)),
      );
    fc.assert(
      fc.property(texts, (text) => {
        expect(plainMembers(parse(text))).toEqual(Object.entries(JSON.parse(text) as object));
      }),
    );
  });

  it('takes and refuses what JSON.parse does', () => {
    const piece = fc.oneof(
      fc.constantFrom(...Array.from('{}[],:"\\0123456789-+.eEtfnu/ \t\n')),
      fc.constantFrom('"a"', '"b":', '{"c":0}', 'true', 'null', '1e5', '-0.5'),
      fc.constantFrom('"\\u00e9"', '"\\ud800"', '\u0000'),
      fc.string({ unit: anyCharacter, maxLength: 2 }),
    );
    const texts = fc.array(piece, { maxLength: 12 }).map((pieces) => `{"a":${pieces.join('')}}`);
    fc.assert(
      fc.property(texts, (text) => {
        const members = attempt(() => parse(text));
        if (members instanceof JsonObjectError && members.message.includes('twice')) return;
        const value = attempt(() => JSON.parse(text) as object);
        if (members instanceof Error) expect(value).toBeInstanceOf(SyntaxError);
        else expect(plainMembers(members)).toEqual(Object.entries(value));
      }),
      { numRuns: 1_000 },
    );
  });

  it('gives back the wanted members alone', () => {
    expect(parse('{"a":1,"b":[{"a":2}],"c":"x","constructor":3}', ['c', 'a', 'toString'])).toEqual({
      a: new JsonNumber('1'),
      c: 'x',
    });
  });

  it('takes names of the prototype as any others', () => {
    const members = parse('{"__proto__": {"name": "x"}, "constructor": 1, "toString": 2}');
    expect(Object.getPrototypeOf(members)).toBeNull();
    expect(members['name']).toBeUndefined();
    expect(Object.keys(members)).toEqual(['__proto__', 'constructor', 'toString']);
  });

  it.each([
    ['twice at the top', '{"a":1,"a":2}'],
    ['twice with another spelling of its value', '{"a":1,"a":1.0}'],
    ['twice with another spelling', '{"a":1,"\\u0061":2}'],
    ['twice among many', `{${Array.from({ length: 50 }, (_, n) => `"${n}":0`).join(',')},"7":1}`],
    ['twice with a short escape', '{"a/b":1,"a\\/b":2}'],
    ['twice beyond ASCII, once escaped', '{"é":1,"\\u00e9":2}'],
    ['twice as a lone surrogate', '{"\\ud800":1,"\\ud800":2}'],
    ['twice further down', '{"a":[{"b":{"c":1,"c":2}}]}'],
    ['twice with objects that differ', '{"a":{"b":[1]},"a":{"b":[2]}}'],
    ['__proto__ twice', '{"__proto__":1,"__proto__":2}'],
  ])('refuses a member name %s', (_where, text) => {
    expect(() => parse(text)).toThrow(
      new JsonObjectError('A JSON object may not hold the same member name twice.'),
    );
  });

  it('takes a member name twice with the same value', () => {
    expect(parse('{"a":{"b":[1,null]},"b":2,"a":{"b":[1,null]}}')).toEqual({
      a: { b: [1, null] },
      b: new JsonNumber('2'),
    });
  });

  it('tells names apart that only look alike, or are of different objects', () => {
    expect(Object.keys(parse('{"\\ud800":1,"\\ud801":2,"é":3}'))).toEqual(['\ud800', '\ud801', 'é']);
    expect(() => parse('{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}')).not.toThrow();
  });

  it.each([
    ...['', ' ', '{', '{"a":1', '{"a":1}}', '{a:1}', "{'a':1}", '{"a":01}', '{"a":1,}', '{"a":\t"\t"}'],
    ...['{"a":NaN}', '\uFEFF{}', '{} {}', '{"a":"\\x"}'],
  ])('refuses %j as not well-formed', (text) => {
    expect(() => parse(text)).toThrow(new JsonObjectError('The request body must be well-formed JSON.'));
  });

  it.each(['[]', '[{}]', '"text"', '1', 'null', 'true'])('refuses %s, which is no object', (text) => {
    expect(() => parse(text)).toThrow(new JsonObjectError('The request body must be one JSON object.'));
  });

  it.each([
    ['a byte that cannot start a character', [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]],
    ['an overlong slash', [0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]],
    ['an encoded surrogate', [0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ])('refuses %s', (_what, bytes) => {
    expect(() => parseJsonObject(Uint8Array.from(bytes))).toThrow(
      new JsonObjectError('The request body must be encoded in UTF-8.'),
    );
  });

  it('takes the deepest nesting that it allows and refuses one more', () => {
    const nested = (depth: number): string => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    expect(() => parse(nested(64))).not.toThrow();
    expect(() => parse(nested(65))).toThrow(JsonObjectError);
    expect(() => parse(nested(1_000_000))).toThrow(JsonObjectError);
  });
});
