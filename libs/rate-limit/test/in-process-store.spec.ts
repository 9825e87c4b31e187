import { describe, expect, it } from '@jest/globals';
import { DEFAULT_BAN_POLICY, Plan } from '../src/index.js';
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
      const verdict = await real.charge({ id: `key:${i}`, limits, bannable: true });
      expect(verdict).toMatchObject({ minuteResetMs: 60_000, dayResetMs: 86_400_000 });
    }
  });

  it('remembers a bounded number of keys, and those that were used last', async () => {
    let time = 0;
    const small = new InProcessStore({ clock: () => (time += 1_000), capacity: 3 });
    const charge = (id: string) => small.charge({ id, limits, bannable: true });
    for (const id of ['a', 'b', 'c', 'a', 'd']) await charge(id);
    expect((await charge('a')).minuteRemaining).toBe(57);
    expect((await charge('b')).minuteRemaining).toBe(59);
  });

  it('forgets no key for a flood of addresses', async () => {
    const small = new InProcessStore({ clock: () => 0, capacity: 3 });
    await small.charge({ id: 'key:a', limits, bannable: true });
    for (let i = 0; i < 100; i++) await small.charge({ id: `address:${i}`, limits, bannable: false });
    expect((await small.charge({ id: 'key:a', limits, bannable: true })).minuteRemaining).toBe(58);
  });
});
