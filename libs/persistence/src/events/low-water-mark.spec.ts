import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LowWaterMark } from './low-water-mark.js';

/** Looks after the last writer, enough for all that was written. */
const QUIET = Array.from({ length: 140 }, () => ({ draws: 0, lasts: 0 }));

let mark: LowWaterMark;

/** What a transaction sees while the one with this id is the oldest that has not ended. */
const during = (horizon: number, tableId = 'one') => ({ tableId, horizon: String(horizon) });
const batch = (last: number, transaction: number, isFull = false) => ({
  ...{ last: String(last), transaction: String(transaction), isFull },
});

beforeEach(() => {
  mark = new LowWaterMark();
  mark.observe(during(1));
});

describe('the low-water mark of the outbox', () => {
  it('rises to the end of a batch once all have ended who may write below it', () => {
    expect(mark).toMatchObject({ id: '0', tableId: 'one' });
    mark.took(batch(100, 50), during(40));
    mark.foundNone(during(50));
    expect(mark.id).toBe('0');
    mark.took(batch(200, 60), during(51));
    expect(mark.id).toBe('100');
    mark.foundNone(during(61));
    expect(mark.id).toBe('200');
    mark.foundNone(during(99));
    expect(mark.id).toBe('200');
  });

  it('falls to nothing for another table or another run of the server, whose ids say nothing here', () => {
    mark.took(batch(100, 50), during(40));
    mark.foundNone(during(60));
    expect(mark.id).toBe('100');
    mark.observe(during(3, 'two'));
    expect(mark).toMatchObject({ id: '0', tableId: 'two' });
    // What was seen before is of no use any more.
    mark.took(batch(500, 70), during(60));
    mark.foundNone(during(99));
    mark.foundNone(during(99, 'two'));
    expect(mark.id).toBe('0');
  });

  it('is never above an id that can still be seen later, whoever commits when', () => {
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
          const snapshot = during(
            Math.min(nextTransaction, ...running.map(({ transaction }) => transaction)),
          );
          own.observe(snapshot);
          const taken = [...visible]
            .filter((id) => id > Number(own.id))
            .sort((a, b) => a - b)
            .slice(0, most);
          for (const id of taken) visible.delete(id);
          if (taken.length === 0) own.foundNone(snapshot);
          else own.took(batch(taken.at(-1) ?? 0, nextTransaction++, taken.length === most), snapshot);
        }
        expect(visible).toEqual(new Set());
      }),
      { numRuns: 100 },
    );
  });
});
