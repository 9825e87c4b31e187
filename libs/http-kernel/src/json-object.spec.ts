import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonNumber } from './json-number.js';
import { JsonObjectError, MAX_JSON_DEPTH, parseJsonObject } from './json-object.js';

const parse = (text: string): Readonly<Record<string, unknown>> => parseJsonObject(Buffer.from(text));

describe('parseJsonObject', () => {
  it('keeps numbers as they were written', () => {
    expect(parse('{"a": 9007199254740993, "b":-1.50e+2}')).toEqual({
      a: new JsonNumber('9007199254740993'),
      b: new JsonNumber('-1.50e+2'),
    });
  });

  it('reads what JSON.parse reads', () => {
    const texts = fc
      .dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ depthSize: 'small' }))
      .map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(texts, (text) => {
        const plain = Object.fromEntries(
          Object.entries(parse(text)).map(([name, value]) => [
            name,
            value instanceof JsonNumber ? Number(value.source) : value,
          ]),
        );
        expect(plain).toEqual(Object.fromEntries(Object.entries(JSON.parse(text) as object)));
      }),
    );
  });

  it('is not fooled by braces, quotes and digits inside strings', () => {
    expect(parse('{"a\\"{,:1": "}],\\\\", "b": ["{\\"b\\":1,", {"a": 2}], "c": 3}')).toEqual({
      'a"{,:1': '}],\\',
      b: ['{"b":1,', { a: 2 }],
      c: new JsonNumber('3'),
    });
  });

  it('assigns no prototype', () => {
    const members = parse('{"__proto__": {"name": "x"}, "a": 1}');
    expect(Object.getPrototypeOf(members)).toBe(Object.prototype);
    expect(members['name']).toBeUndefined();
  });

  it.each(['{"__proto__": 1}', '{"constructor": 1}', '{"toString": 1}'])('takes %s as it is', (text) => {
    expect(Object.values(parse(text))).toEqual([new JsonNumber('1')]);
  });

  it.each([
    ['twice at the top', '{"a":1,"a":1}'],
    ['twice with another spelling', '{"a":1,"\\u0061":2}'],
    ['twice further down', '{"a":[{"b":{"c":1,"c":1}}]}'],
    ['__proto__ twice', '{"__proto__":1,"__proto__":1}'],
  ])('refuses a member name %s', (_where, text) => {
    expect(() => parse(text)).toThrow(
      new JsonObjectError('A JSON object may not hold the same member name twice.'),
    );
  });

  it('takes the same name in different objects', () => {
    expect(() => parse('{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}')).not.toThrow();
  });

  it.each([
    '',
    ' ',
    '{',
    '{"a":1',
    '{"a":1}}',
    '{a:1}',
    "{'a':1}",
    '{"a":01}',
    '{"a":1,}',
    '{"a":\t"\t"}',
    '{"a":NaN}',
    '\uFEFF{}',
    '{} {}',
    '{"a":"\\x"}',
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
    expect(() => parse(nested(MAX_JSON_DEPTH))).not.toThrow();
    expect(() => parse(nested(MAX_JSON_DEPTH + 1))).toThrow(JsonObjectError);
    expect(() => parse(nested(1_000_000))).toThrow(JsonObjectError);
  });
});
