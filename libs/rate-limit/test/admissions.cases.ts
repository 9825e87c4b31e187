import { describe, it } from '@jest/globals';
import fc from 'fast-check';
import { DOZENS, judge, PLANS, type StoreUnderTest, TINY, traffic } from './traffic.js';

/** No random history admits more than a limit, or refuses what fits; `runs` histories for each property. */
export function describeAdmissions(underTest: () => StoreUnderTest, runs: number): void {
  describe('the judge of all admissions finds nothing', () => {
    it('with tiny limits that change all the time', async () => {
      await fc.assert(
        fc.asyncProperty(traffic(TINY), (events) => judge(underTest(), events)),
        { numRuns: runs * 4 },
      );
    });

    it('with limits of some dozens that change all the time', async () => {
      await fc.assert(
        fc.asyncProperty(traffic(DOZENS), (events) => judge(underTest(), events)),
        { numRuns: runs * 6 },
      );
    });

    it('with a clock of microseconds', async () => {
      await fc.assert(
        fc.asyncProperty(traffic(TINY), (events) => judge(underTest(), events, { scale: 1.0007 })),
        { numRuns: runs * 2 },
      );
    });

    it('with a clock that jumps back', async () => {
      await fc.assert(
        fc.asyncProperty(traffic(TINY, { clockJumps: true }), (events) => judge(underTest(), events)),
        { numRuns: runs * 4 },
      );
    });

    it.each(PLANS)('on the plan %s', async (_, limits) => {
      await fc.assert(
        fc.asyncProperty(traffic([limits], { events: 25 }), (events) => judge(underTest(), events)),
        { numRuns: runs },
      );
    });

    it('with plans that change under traffic', async () => {
      await fc.assert(
        fc.asyncProperty(
          traffic(
            PLANS.map(([, limits]) => limits),
            { events: 25 },
          ),
          (events) => judge(underTest(), events),
        ),
        { numRuns: runs },
      );
    });
  });
}
