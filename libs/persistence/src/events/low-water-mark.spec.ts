import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LowWaterMark } from './low-water-mark.js';

/** Looks after the last writer, enough for all that was written. */
const QUIET = Array.from({ length: 140 }, () => ({ draws: 0, lasts: 0 }));

it('the low-water mark of the outbox is never above an id that can still be seen later, whoever commits when', () => {
  const writer = fc.record({
    draws: fc.integer({ min: 0, max: 3 }),
    lasts: fc.integer({ min: 0, max: 12 }),
  });
  fc.assert(
    fc.property(fc.array(writer, { maxLength: 40 }), fc.integer({ min: 1, max: 4 }), (writers, most) => {
      const own = new LowWaterMark();
      let [nextTransaction, nextId] = [1, 1];
      const running: { transaction: number; ids: number[]; ends: number }[] = [];
      const visible = new Set<number>();
      for (const [time, { draws, lasts }] of [...writers, ...QUIET].entries()) {
        const ids = Array.from({ length: draws }, () => nextId++);
        if (draws > 0) running.push({ transaction: nextTransaction++, ids, ends: time + lasts });
        for (const ended of running.filter(({ ends }) => ends <= time)) {
          for (const id of ended.ids) {
            expect(id).toBeGreaterThan(Number(own.id));
            visible.add(id);
          }
          running.splice(running.indexOf(ended), 1);
        }
        // A look of the sequencer.
        const oldest = Math.min(nextTransaction, ...running.map(({ transaction }) => transaction));
        const snapshot = { tableId: 'one', horizon: String(oldest) };
        own.observe(snapshot);
        const taken = [...visible]
          .filter((id) => id > Number(own.id))
          .sort((a, b) => a - b)
          .slice(0, most);
        for (const id of taken) visible.delete(id);
        if (taken.length === 0) own.foundNone(snapshot);
        else {
          const batch = { last: String(taken.at(-1)), transaction: String(nextTransaction++) };
          own.took({ ...batch, isFull: taken.length === most }, snapshot);
        }
      }
      expect(visible).toEqual(new Set());
    }),
    { numRuns: 100 },
  );
});
