import { describe, expect, it } from '@jest/globals';
import { UnexpectedResponseError } from './errors.js';
import { listEventsCall, positioned, toEventPage } from './event.js';
import { parseJson } from './json.js';

const next = (target: string): Headers => new Headers({ Link: `<${target}>; rel="next"` });
const events = (...ids: readonly string[]): unknown =>
  parseJson(`[${ids.map((id) => `{"id":${id},"type":"pet.updated","data":{}}`).join(',')}]`);

describe('a page of the feed', () => {
  it('goes on where the link says, digit for digit, whatever the address of the service', () => {
    for (const target of ['/v1/events?after=9223372036854775807', 'https://a.example/b?limit=2&after=3']) {
      const after = /after=(\d+)/.exec(target)?.[1] ?? '';
      const page = toEventPage({ headers: next(target), body: [] }, {});
      expect(page).toEqual({ events: [], position: BigInt(after), isCaughtUp: true });
    }
  });

  it('is the last one for the moment when it is not full', () => {
    const success = { headers: next('/v1/events?after=9'), body: events('3', '7') };
    expect(toEventPage(success, { limit: 2 }).isCaughtUp).toBe(false);
    expect(toEventPage(success, { limit: 3 }).isCaughtUp).toBe(true);
    expect(toEventPage(success, {}).isCaughtUp).toBe(true);
  });

  it('gives each event the position behind which the rest follows', () => {
    const page = toEventPage({ headers: next('/v1/events?after=9'), body: events('3', '7') }, {});
    expect([...positioned(page)].map(({ event, position }) => [event.id, position])).toEqual([
      [3n, 3n],
      [7n, 9n],
    ]);
  });

  it.each([
    ['no link', new Headers(), []],
    ['a link without a position', next('/v1/events'), []],
    ['a position that is none', next('/v1/events?after=latest'), []],
    ['a position beyond int64', next(`/v1/events?after=${'9'.repeat(20)}`), []],
    ['a body that is no list', next('/v1/events?after=1'), { events: [] }],
  ])('is refused with %s', (_name, headers, body) => {
    expect(() => toEventPage({ headers, body }, {})).toThrow(UnexpectedResponseError);
  });
});

describe('the call for a page', () => {
  it.each([
    [{}, '/events?limit=100'],
    [{ after: 'latest', limit: 1 } as const, '/events?limit=1&after=latest'],
    [{ after: 9_223_372_036_854_775_807n }, '/events?limit=100&after=9223372036854775807'],
    [{ after: 0, resource: 'pet' } as const, '/events?limit=100&after=0&resource=pet'],
  ])('%# has its parameters', (query, path) => {
    expect(listEventsCall(query, {}).path).toBe(path);
  });

  it('takes no position that a number has rounded', () => {
    expect(() => listEventsCall({ after: 2 ** 53 }, {})).toThrow(RangeError);
  });
});
