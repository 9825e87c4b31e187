import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { LimitState } from './limit-state.js';
import { pollInterval } from './poll-interval.js';

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

describe('the interval between polls', () => {
  it.each([
    ['Free', limits([60, 60], [1_000, 86_400]), 172_800],
    ['Pro', limits([300, 60], [10_000, 86_400]), 17_280],
    ['Business', limits([1_000, 60], [100_000, 86_400]), 1_728],
    ['a very large one', limits([1_000_000, 60], [1_000_000_000, 86_400]), 1_000],
    ['one that lets nothing through', limits([0, 60]), 86_400_000],
    ['unknown', undefined, 60_000],
    ['hidden by a gateway', limits(), 60_000],
  ])('leaves half of every window to other requests: %s', (_plan, state, expected) => {
    expect(pollInterval(state)).toBe(expected);
  });

  it('never uses more than half of a window, and never ends a timer early', () => {
    const window = fc.tuple(fc.integer({ min: 2, max: 1_000_000 }), fc.integer({ min: 1, max: 86_400 }));
    fc.assert(
      fc.property(fc.array(window, { minLength: 1, maxLength: 3 }), (windows) => {
        const interval = pollInterval(limits(...windows));
        for (const [quota, seconds] of windows) {
          expect(Math.floor((seconds * 1_000) / interval)).toBeLessThanOrEqual(quota / 2);
        }
        expect(interval).toBeLessThan(2 ** 31);
      }),
    );
  });
});
