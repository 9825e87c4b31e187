import { describe, expect, it } from '@jest/globals';
import { DEFAULT_BAN_POLICY, Plan } from '../src/index.js';
import { SlidingWindow } from '../src/windows/sliding-window.js';
import { InProcessStore } from '../src/in-process/in-process-store.js';
import { describeLimitStore } from './limit-store.cases.js';

const limits = Plan.limitsOf('free');

describe('InProcessStore', () => {
  let now = 0;
  const store = new InProcessStore({ clock: () => now, banPolicy: DEFAULT_BAN_POLICY });
  const underTest = { store, setClock: (to: number) => (now = to) };

  describeLimitStore(() => underTest, 50);

  it('gives a first request its unit back after exactly the length of each window', async () => {
    const real = new InProcessStore();
    for (let i = 0; i < 200; i++) {
      const result = await real.charge({ id: `key:${i}`, limits, bannable: true });
      expect(result).toMatchObject({ minuteResetMs: 60_000, dayResetMs: 86_400_000 });
    }
  });

  it('keeps a ring of batches as a queue of them would be, however it grows and shrinks', () => {
    const window = new SlidingWindow(60_000, 1);
    const queue: [number, number][] = [];
    // One expectation at the end: 80,000 would take ten times as long as what they are about.
    const differences: object[] = [];
    let total = 0;
    let at = 1_700_000_000_000;
    for (let i = 0; i < 20_000; i++) {
      at += 1 + ((i * 7_919) % (i % 3_000 < 1_500 ? 20 : 2_000));
      const units = 1 + (i % 3);
      window.expire(at);
      window.add(at, units);
      queue.push([at, units]);
      total += units;
      while ((queue[0]?.[0] ?? 0) <= at - 60_000) total -= queue.shift()?.[1] ?? 0;
      const oldest = queue[0] ?? [0, 0];
      const expected = [total, oldest[1], oldest[0] + 60_000, at + 60_000];
      const found = [window.total, window.oldestUnits, window.freeAt(1), window.freeAt(total)];
      if (found.join() !== expected.join()) differences.push({ i, found, expected });
    }
    expect(differences).toEqual([]);
  });
});
