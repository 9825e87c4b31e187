import { afterEach, describe, expect, it } from '@jest/globals';
import { steadyClock } from './clock.js';

const systemNow = Date.now;
afterEach(() => {
  Date.now = systemNow;
});

describe('steadyClock', () => {
  it('tells whole milliseconds', () => {
    const clock = steadyClock();
    for (let i = 0; i < 100; i++) expect(clock() % 1).toBe(0);
  });

  it('goes on from the time of its making when the clock of the system is set', () => {
    const clock = steadyClock();
    Date.now = () => systemNow() - 3_600_000;
    expect(Math.abs(clock() - systemNow())).toBeLessThan(1_000);
    expect(clock()).toBeLessThanOrEqual(clock());
  });
});
