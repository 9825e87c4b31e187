import { describe, expect, it } from '@jest/globals';
import { type EventPattern, isEvent } from './event.js';
import { parseJson } from './json.js';
import type { PetStoreEvent } from './resources.js';

describe('the type of an event', () => {
  const event = (type: string, data: string): PetStoreEvent =>
    parseJson(
      `{"id":1,"type":"${type}","timestamp":"2026-11-21T19:12:07.123Z","data":${data}}`,
    ) as PetStoreEvent;
  const PLACED = event('order.placed', '{"order":{"id":9,"petId":9007199254740993,"status":"placed"}}');
  const RENAMED = event('category.updated', '{"category":{"id":7,"name":"Dogs"},"previous":{"name":"Dog"}}');
  const CREATED = event('pet.created', '{"pet":{"id":42,"name":"Rex","categoryId":7,"status":"available"}}');

  it.each<[PetStoreEvent, EventPattern[], boolean]>([
    [PLACED, ['order.placed'], true],
    [PLACED, ['order.approved', 'order.placed'], true],
    [PLACED, ['order.*'], true],
    [PLACED, ['order.approved', 'pet.*'], false],
    [PLACED, [], false],
    [RENAMED, ['category.updated'], true],
    [RENAMED, ['category.created', 'category.deleted'], false],
    [CREATED, ['category.*', 'pet.*'], true],
    [event('pet.photographed', '{"pet":{"id":42}}'), ['pet.*'], true],
    [event('pet.photographed', '{"photo":{"id":42}}'), ['pet.*'], false],
    [event('petition.signed', '{"petition":{"id":1},"pet":{"id":42}}'), ['pet.*'], false],
    [event('toString', '{}'), ['pet.*'], false],
  ])('%j of %j is %s', (one, patterns, expected) => {
    expect(isEvent(one, ...patterns)).toBe(expected);
  });

  it('tells the compiler what the event is about', () => {
    if (!isEvent(PLACED, 'order.placed', 'order.approved')) throw new Error('It was placed.');
    const type: 'order.placed' | 'order.approved' = PLACED.type;
    const petId: bigint = PLACED.data.order.petId;
    expect([type, petId]).toEqual(['order.placed', 9_007_199_254_740_993n]);
    if (!isEvent(RENAMED, 'category.*')) throw new Error('It is about a category.');
    expect(RENAMED.data.category.name).toBe('Dogs');
    expect(RENAMED.data.previous?.name).toBe('Dog');
  });
});
