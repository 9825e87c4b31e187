import { describe, expect, it } from '@jest/globals';
import { EVENT_RESOURCES } from '@petstore/event-feed';
import { EVENT_TYPES, TEST_EVENT_TYPE, WebhookTypes } from './webhook-types.js';

const scopes = (...names: string[]): ReadonlySet<string> => new Set(names);

describe('WebhookTypes', () => {
  it('are every type, and all types of a resource', () => {
    expect(WebhookTypes.ALL).toEqual([...EVENT_TYPES, 'pet.*', 'category.*', 'order.*']);
    for (const type of EVENT_TYPES)
      expect(EVENT_RESOURCES as readonly string[]).toContain(type.split('.')[0]);
  });

  it('are 1 to 20 known ones', () => {
    expect(WebhookTypes.flaw(['pet.*'])).toBeUndefined();
    expect(WebhookTypes.flaw(Array<string>(20).fill('order.placed'))).toBeUndefined();
    expect(WebhookTypes.flaw([])).toBe('number');
    expect(WebhookTypes.flaw(Array<string>(21).fill('order.placed'))).toBe('number');
    for (const type of ['', '*', 'pet', 'pet.', 'pet.eaten', 'Pet.created', 'pet.*.*', TEST_EVENT_TYPE])
      expect(WebhookTypes.flaw(['pet.created', type])).toBe('unknown');
  });

  it('are allowed by the scope that reads what they are about', () => {
    const all = ['pet.*', 'category.created', 'order.*', 'order.placed'];
    expect(WebhookTypes.firstForbidden(all, scopes('pets:read', 'orders:read'))).toBeUndefined();
    expect(WebhookTypes.firstForbidden(all, scopes('pets:read'))).toBe('order.*');
    expect(WebhookTypes.firstForbidden(all, scopes('pets:read', 'orders:manage'))).toBe('order.*');
    expect(WebhookTypes.firstForbidden(all, scopes('orders:read'))).toBe('pet.*');
    expect(WebhookTypes.firstForbidden([], scopes())).toBeUndefined();
  });
});
