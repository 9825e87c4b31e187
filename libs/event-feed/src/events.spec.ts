import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EventPosition } from './event-position.js';
import { EventNotifier } from './event-notifier.js';
import { visibleEvents } from './event-visibility.js';

describe('a position of the feed', () => {
  const MAX = 2n ** 63n - 1n;
  const numbers = fc.oneof(
    fc.bigInt({ min: -10n, max: 2n ** 66n }),
    fc.constantFrom(0n, 1n, 9n, 10n, MAX - 1n, MAX, MAX + 1n),
  );

  it.each([
    ...['', ' ', '-0', '-1', '+1', '00', '01', '1.0', '1e3', '0x1', ' 1', '1 ', '1\n', '١', 'latest', '1,2'],
    ...['9223372036854775808', '9999999999999999999', '10000000000000000000', '9'.repeat(10_000)],
  ])('is not %j', (text) => {
    expect(EventPosition.parse(text)).toBeUndefined();
  });

  it('is every int64 from 0 on, in plain digits, and nothing else', () => {
    expect(EventPosition.MAX).toBe(String(MAX));
    fc.assert(
      fc.property(fc.oneof(numbers.map(String), fc.string()), (text) => {
        const isPlain = /^(0|[1-9]\d*)$/.test(text) && BigInt(text) <= MAX;
        expect(EventPosition.parse(text)).toBe(isPlain ? text : undefined);
      }),
      { numRuns: 300 },
    );
  });

  it('is ordered as its number is', () => {
    fc.assert(
      fc.property(numbers, numbers, (one, other) => {
        const [a, b] = [String(one), String(other)].map((text) => EventPosition.parse(text));
        fc.pre(a !== undefined && b !== undefined);
        expect(Math.sign(EventPosition.compare(a, b))).toBe(one === other ? 0 : one < other ? -1 : 1);
      }),
    );
  });
});

it('a notification reaches all who listen, and by nobody who has ceased to', () => {
  const notifier = new EventNotifier();
  const heard: string[] = [];
  notifier.notify();
  const ends = ['first', 'second'].map((who) => notifier.listen(() => heard.push(who)));
  notifier.notify();
  expect(heard).toEqual(['first', 'second']);
  ends[0]?.();
  ends[0]?.();
  notifier.notify();
  expect(heard).toEqual(['first', 'second', 'second']);
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
