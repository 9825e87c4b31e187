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
    let at = 1_700_000_000_000;
    for (let i = 0; i < 20_000; i++) {
      at += 1 + ((i * 7_919) % (i % 3_000 < 1_500 ? 20 : 2_000));
      const units = 1 + (i % 3);
      window.expire(at);
      window.add(at, units);
      queue.push([at, units]);
      while ((queue[0]?.[0] ?? 0) <= at - 60_000) queue.shift();
      const total = queue.reduce((sum, [, each]) => sum + each, 0);
      expect(window.total).toBe(total);
      expect(window.oldestUnits).toBe(queue[0]?.[1]);
      expect(window.freeAt(1)).toBe((queue[0]?.[0] ?? 0) + 60_000);
      expect(window.freeAt(total)).toBe(at + 60_000);
    }
  });
});
