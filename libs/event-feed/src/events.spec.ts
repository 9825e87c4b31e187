import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EventPosition } from './event-position.js';
import { visibleEvents } from './event-visibility.js';

it('positions of the feed are ordered as their numbers are', () => {
  const numbers = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
  fc.assert(
    fc.property(numbers, numbers, (one, other) => {
      const order = EventPosition.compare(String(one) as EventPosition, String(other) as EventPosition);
      expect(Math.sign(order)).toBe(one === other ? 0 : one < other ? -1 : 1);
    }),
  );
});

const key = (...scopes: string[]) => ({ keyId: 'key_1', scopes: new Set(scopes) });

describe('the events that a key sees', () => {
  it.each([
    [['pets:read'], undefined, { resources: ['pet', 'category'] }],
    [['pets:read'], 'category', { resources: ['category'] }],
    [['pets:read'], 'order', { resources: [] }],
    [['pets:read', 'orders:read'], undefined, { resources: ['pet', 'category'], audience: 'key_1' }],
    [['pets:read', 'orders:read'], 'pet', { resources: ['pet'] }],
    [['orders:read'], 'order', { resources: [], audience: 'key_1' }],
    [['orders:read', 'orders:manage'], 'order', { resources: ['order'] }],
    [['pets:read', 'orders:read', 'orders:manage'], undefined, { resources: ['pet', 'category', 'order'] }],
    [['orders:manage', 'webhooks:manage'], undefined, { resources: [] }],
  ] as const)('with %j, asking for %s, are %j', (scopes, resource, expected) => {
    expect(visibleEvents(key(...scopes), resource)).toEqual(expected);
  });
});
