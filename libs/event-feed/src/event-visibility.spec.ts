import { describe, expect, it } from '@jest/globals';
import { visibleEvents } from './event-visibility.js';

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
