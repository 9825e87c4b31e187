import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RefreshPace } from './refresh-pace.js';

const GAP = 250;

/** Begins a refresh as soon as it may. @returns when */
function beginAsSoonAsPossible(pace: RefreshPace, now: number): number {
  const at = now + Math.max(0, pace.pause(now));
  pace.begin(at);
  return at;
}

describe('the pace of refreshes', () => {
  it('is one in each gap for a burst of one', () => {
    const pace = new RefreshPace(GAP, 1);
    const began = [1_000, 1_000, 1_010, 2_000].map((now) => beginAsSoonAsPossible(pace, now));
    expect(began).toEqual([1_000, 1_250, 1_500, 2_000]);
  });

  it('lets as many begin at once as a burst has, then one in each gap', () => {
    const pace = new RefreshPace(GAP, 3);
    const began = Array.from({ length: 6 }, () => beginAsSoonAsPossible(pace, 1_000));
    expect(began).toEqual([1_000, 1_000, 1_000, 1_250, 1_500, 1_750]);
  });

  it('makes good for one in each gap that goes by', () => {
    const pace = new RefreshPace(GAP, 3);
    for (let n = 0; n < 3; n++) beginAsSoonAsPossible(pace, 0);
    const began = [2 * GAP, 2 * GAP, 2 * GAP].map((now) => beginAsSoonAsPossible(pace, now));
    expect(began).toEqual([2 * GAP, 2 * GAP, 3 * GAP]);
  });

  it('has nothing left after a failure', () => {
    const pace = new RefreshPace(GAP, 10);
    pace.begin(1_000);
    pace.fail();
    expect(pace.pause(1_000)).toBe(GAP);
    expect(pace.pause(1_000 + GAP)).toBe(0);
  });

  it('never exceeds a burst and one in each gap, whenever refreshes are asked for', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 2 * GAP }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 8 }),
        (waits, burst) => {
          const pace = new RefreshPace(GAP, burst);
          let now = 0;
          const began = waits.map((wait) => (now = beginAsSoonAsPossible(pace, now + wait)));
          for (const [i, from] of began.entries()) {
            for (const [j, to] of began.entries()) {
              if (j >= i) expect(j - i + 1).toBeLessThanOrEqual(burst + (to - from) / GAP);
            }
          }
        },
      ),
    );
  });
});
