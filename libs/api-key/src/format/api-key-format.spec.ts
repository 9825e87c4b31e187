import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type KeyKind, ApiKeyFormat } from './api-key-format.js';

const kinds = fc.constantFrom<KeyKind>('live', 'test');
const keys = kinds.map((kind) => ApiKeyFormat.generate(kind));
const BASE62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const TOKEN68 = Array.from(`${BASE62}-._~+/`);

describe('a key', () => {
  it('has its prefix, 32 characters of entropy and 6 of checksum', () => {
    expect(ApiKeyFormat.generate('live')).toMatch(/^pet_live_[0-9A-Za-z]{38}$/);
    expect(ApiKeyFormat.generate('test')).toMatch(/^pet_test_[0-9A-Za-z]{38}$/);
  });

  it('is well-formed, whatever its entropy', () => {
    fc.assert(fc.property(keys, (key) => ApiKeyFormat.isWellFormed(key)));
  });

  it('is refused after a change of any one character to any other', () => {
    const changes = fc.tuple(keys, fc.nat(ApiKeyFormat.LENGTH - 1), fc.constantFrom(...TOKEN68));
    fc.assert(
      fc.property(changes, ([key, at, character]) => {
        fc.pre(key[at] !== character);
        return !ApiKeyFormat.isWellFormed(key.slice(0, at) + character + key.slice(at + 1));
      }),
      { numRuns: 5_000 },
    );
  });

  it('is refused with two neighbours swapped', () => {
    fc.assert(
      fc.property(keys, fc.integer({ min: 9, max: ApiKeyFormat.LENGTH - 2 }), (key, at) => {
        const [one = '', two = ''] = [key[at], key[at + 1]];
        fc.pre(one !== two);
        return !ApiKeyFormat.isWellFormed(key.slice(0, at) + two + one + key.slice(at + 2));
      }),
    );
  });

  it('is refused when cut short or drawn out', () => {
    fc.assert(
      fc.property(keys, fc.integer({ min: 9, max: ApiKeyFormat.LENGTH - 1 }), (key, length) => {
        return (
          !ApiKeyFormat.isWellFormed(key.slice(0, length)) &&
          !ApiKeyFormat.isWellFormed(key + key.slice(0, length))
        );
      }),
    );
  });

  it('never comes twice, and uses every digit equally', () => {
    const many = Array.from({ length: 2_000 }, () => ApiKeyFormat.generate('test'));
    expect(new Set(many).size).toBe(many.length);
    const counts = new Map<string, number>();
    for (const key of many) for (const c of key.slice(9, 41)) counts.set(c, (counts.get(c) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // 64,000 characters: 1,032 of each expected, with a standard deviation of 32.
    const mean = (many.length * 32) / 62;
    for (const count of counts.values()) expect(Math.abs(count - mean)).toBeLessThan(6 * Math.sqrt(mean));
  });

  it('shows its prefix and last four characters, and nothing between', () => {
    const key = ApiKeyFormat.generate('live');
    expect(ApiKeyFormat.hintOf(key)).toEqual({ prefix: 'pet_live_', lastFour: key.slice(-4) });
  });
});

it.each(['', '=', 'abc', 'YWJjZA==', 'ключ', 'pet_live_', 'pet_test_mine', 'x'.repeat(ApiKeyFormat.LENGTH)])(
  'is not %j',
  (text) => {
    expect(ApiKeyFormat.isWellFormed(text)).toBe(false);
  },
);
