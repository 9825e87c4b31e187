import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JsonValue } from './idempotent-request.js';
import { canonicalJson, requestFingerprint } from './request-fingerprint.js';

/** The same value with the members of every object in another order. */
function reversed(value: JsonValue): JsonValue {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(reversed);
  const members = Object.entries(value as Record<string, JsonValue>).reverse();
  return Object.fromEntries(members.map(([name, member]) => [name, reversed(member)]));
}

const json = fc.jsonValue() as fc.Arbitrary<JsonValue>;

describe('a fingerprint', () => {
  it('is the SHA-256 of the members in the order of their names', () => {
    const input = { name: 'Rex "II"', status: undefined, categoryId: '7', more: [{ b: 1, a: null }, true] };
    expect(canonicalJson(input)).toBe(
      '{"categoryId":"7","more":[{"a":null,"b":1},true],"name":"Rex \\"II\\""}',
    );
    // printf '{"categoryId":"7","name":"Rex","status":"available"}' | sha256sum
    expect(requestFingerprint({ name: 'Rex', categoryId: '7', status: 'available' }).toString('hex')).toBe(
      'e3759ee5b443b09fba43f4c3d1e3952faa614293103840ff287b0bab79718573',
    );
  });

  it('is one for all orders of the members', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(requestFingerprint(reversed(value))).toEqual(requestFingerprint(value));
      }),
    );
  });

  it('is another one for another value', () => {
    fc.assert(
      fc.property(json, (value) => {
        // -0 is written as 0.
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it.each([NaN, Infinity])('is refused for %s, which JSON cannot write', (number) => {
    expect(() => requestFingerprint({ number })).toThrow(TypeError);
  });
});
