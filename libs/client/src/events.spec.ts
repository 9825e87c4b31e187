import { describe, expect, it } from '@jest/globals';
import { UnexpectedResponseError } from './errors.js';
import { type EventPattern, isEvent, pollInterval, positioned, toEventPage } from './events.js';
import { parseJson } from './json.js';
import type { LimitState } from './limit-state.js';
import type { RawResponse } from './read-response.js';
import type { PetStoreEvent } from './resources.js';

const responseWith = (headers: Record<string, string>): RawResponse => ({
  url: 'https://store.example/v1/events?after=2',
  status: 200,
  headers: new Headers(headers),
  text: '',
});
const next = (target: string) => responseWith({ Link: `<${target}>; rel="next"` });
const EVENTS = [3n, 7n].map((id) => ({ id, type: 'pet.updated', data: {} })) as PetStoreEvent[];

describe('a page of the feed', () => {
  it.each([
    ['/v1/events?after=9223372036854775807', 9_223_372_036_854_775_807n],
    ['https://a.example/b?resources=a,b&after=3', 3n],
  ])('goes on where the link says, digit for digit: %s', (target, position) => {
    expect(toEventPage({ response: next(target), body: [] }, {})).toEqual({
      events: [],
      position,
      isCaughtUp: true,
    });
  });

  it.each([
    [2, false],
    [3, true],
    [undefined, true],
  ])('is the last one for the moment when it is not full: of %p events', (limit, isCaughtUp) => {
    const page = { response: next('/v1/events?after=9'), body: EVENTS };
    expect(toEventPage(page, { limit })).toMatchObject({ isCaughtUp });
  });

  it('gives each event the position behind which the rest follows', () => {
    const page = toEventPage({ response: next('/v1/events?after=9'), body: EVENTS }, {});
    expect([...positioned(page)].map(({ position }) => position)).toEqual([3n, 9n]);
  });

  it.each([
    ['no link', responseWith({})],
    ['a link without a position', next('/v1/events')],
    ['a position that is none', next('/v1/events?after=latest')],
    ['a position beyond int64', next(`/v1/events?after=${'9'.repeat(20)}`)],
    ['a position before its own', next('/v1/events?after=1')],
  ])('is refused with %s', (_name, response) => {
    expect(() => toEventPage({ response, body: [] }, { after: 2 })).toThrow(UnexpectedResponseError);
  });
});

describe('the interval between polls', () => {
  const limits = (...windows: readonly (readonly [quota: number, seconds: number])[]): LimitState => ({
    limit: 1,
    remaining: 1,
    resetAt: new Date(0),
    windows: windows.map(([quota, seconds]) => ({
      name: 'window',
      quota,
      seconds,
      remaining: quota,
      resetSeconds: 0,
    })),
  });

  it.each([
    ['Free', limits([60, 60], [1_000, 86_400]), 172_800],
    ['Pro', limits([300, 60], [10_000, 86_400]), 17_280],
    ['a very large one', limits([1_000_000, 60], [1_000_000_000, 86_400]), 1_000],
    ['one that lets nothing through', limits([0, 60]), 86_400_000],
    ['unknown', undefined, 60_000],
  ])('leaves half of every window to other requests: %s', (_plan, state, expected) => {
    expect(pollInterval(state)).toBe(expected);
  });
});

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
    [PLACED, ['order.*'], true],
    [PLACED, ['order.approved', 'pet.*'], false],
    [PLACED, [], false],
    [RENAMED, ['category.updated'], true],
    [CREATED, ['category.*', 'pet.*'], true],
    [event('pet.photographed', '{"pet":{"id":42}}'), ['pet.*'], true],
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
