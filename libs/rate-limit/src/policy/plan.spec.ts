import { describe, expect, it } from '@jest/globals';
import { Plan } from './plan.js';

describe('Plan', () => {
  it('has the limits of the specification', () => {
    expect(Plan.ALL.filter((name) => Plan.isFixed(name)).map((name) => [name, Plan.limitsOf(name)])).toEqual([
      ['free', { perMinute: 60, perDay: 1_000 }],
      ['pro', { perMinute: 300, perDay: 10_000 }],
      ['business', { perMinute: 1_000, perDay: 100_000 }],
    ]);
  });

  it.each(['free', 'pro', 'business', 'enterprise'])('knows %s', (name) => {
    expect(Plan.parse(name)).toBe(name);
  });

  it.each(['', 'Free', 'free ', 'premium'])('does not know "%s"', (name) => {
    expect(Plan.parse(name)).toBeUndefined();
  });

  it.each([
    [1, true],
    [999_999_999, true],
    [0, false],
    [-1, false],
    [1.5, false],
    [Number.NaN, false],
    [1_000_000_000, false],
  ])('says of %p as a limit of an enterprise key: %p', (value, possible) => {
    expect(Plan.isLimit(value)).toBe(possible);
  });
});
