import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@petstore/testing';
import type { JobLeaseStore } from '../src/scheduler/job-lease.store.js';
import { PostgresJobLeaseStore } from '../src/scheduler/postgres-job-lease.store.js';
import { Scheduler } from '../src/scheduler/scheduler.js';
import { abortOf, Instances, together, Work } from './instances.js';

const instances = new Instances();
beforeAll(() => instances.start());
afterAll(() => instances.stop());

const nothing = (): Promise<void> => Promise.resolve();
const leases = (): PostgresJobLeaseStore => new PostgresJobLeaseStore(instances.databases[0].manager);

/** As if the clock of the database had been a day ahead when it was written. */
async function putOff(job: string, column: 'next_run_at' | 'leased_until'): Promise<void> {
  await instances.databases[0].manager.query(
    `update scheduled_jobs set ${column} = now() + interval '1 day' where name = $1`,
    [job],
  );
}

it('holds no connection while its job runs', async () => {
  let busy: { readonly total: number; readonly idle: number } | undefined;
  const work = new Work(() => {
    busy = instances.databases[0].poolStats();
    return nothing();
  });
  const scheduler = instances.add(0, work.job());
  await waitFor(() => work.runs >= 1);
  await scheduler.stop();
  expect(busy).toMatchObject({ waiting: 0, idle: busy?.total });
});

describe('a scheduled job', () => {
  together({
    async 'is run again and again by some instance, and never by two at once'() {
      const work = new Work(() => sleep(60));
      for (const which of [0, 1, 0, 1] as const) instances.add(which, work.job({ name: 'often' }));
      await waitFor(() => work.runs >= 12);
      expect(work.most).toBe(1);
    },

    async 'keeps its interval over all instances'() {
      const work = new Work(nothing);
      for (const which of [0, 1] as const)
        instances.add(which, work.job({ name: 'interval', intervalMs: 400 }));
      await waitFor(() => work.runs >= 5);
      // Measured from the end of a run in the database to the beginning of the next one here.
      expect(Math.min(...work.pauses)).toBeGreaterThan(350);
    },

    async 'is taken over from an instance that died within a run, when its lease is over'() {
      expect(await leases().acquire('orphan', 1_500, 100, false)).toMatchObject({
        granted: true,
        failures: 0,
      });
      const died = performance.now();
      const work = new Work(nothing);
      instances.add(1, work.job({ name: 'orphan' }));
      await waitFor(() => work.runs >= 1);
      expect((work.begins[0] ?? 0) - died).toBeGreaterThan(1_450);
    },

    async 'is due when a clock that was wrong has put it off'() {
      const work = new Work(nothing);
      for (const which of [0, 1] as const) instances.add(which, work.job({ name: 'postponed' }));
      await waitFor(() => work.runs >= 2);
      await putOff('postponed', 'next_run_at');
      const { runs } = work;
      await waitFor(() => work.runs >= runs + 2);
      expect(work.most).toBe(1);
    },

    async 'is taken over when its instance died while a clock was wrong'() {
      expect(await leases().acquire('stranded', 8_000, 100, false)).toMatchObject({ granted: true });
      await putOff('stranded', 'leased_until');
      const work = new Work(nothing);
      instances.add(1, work.job({ name: 'stranded' }));
      await waitFor(() => work.runs >= 2);
    },

    async 'is aborted when its time is up'() {
      const work = new Work(async (signal) => {
        await abortOf(signal);
        throw signal.reason;
      });
      instances.add(0, work.job({ name: 'long', timeoutMs: 200, intervalMs: 60_000 }));
      await waitFor(() => instances.logOf('long').length > 0);
      expect(instances.logOf('long')).toEqual(['error: scheduled job failed']);
      expect(work.running).toBe(0);
    },

    async 'is logged when it ignores that'() {
      const work = new Work(() => sleep(3_600));
      instances.add(0, work.job({ name: 'deaf', timeoutMs: 200, intervalMs: 60_000 }));
      await waitFor(() => instances.logOf('deaf').length > 0);
      expect(instances.logOf('deaf')[0]).toContain('ignores its timeout, another instance may run it');
      await waitFor(() => work.running === 0);
      expect(work.most).toBe(1);
    },

    async 'waits longer after each failure, in all instances, until it succeeds'() {
      const work = new Work((_signal, run) =>
        run <= 4 ? Promise.reject(new Error(`failure ${run}`)) : nothing(),
      );
      for (const which of [0, 1] as const) instances.add(which, work.job({ name: 'failing' }));
      await waitFor(() => work.runs >= 6);
      const [, second = 0, third = 0, fourth = 0] = work.pauses;
      expect([second > 190, third > 390, fourth > 790]).toEqual([true, true, true]);
      expect(instances.logOf('failing')).toEqual(Array(4).fill('error: scheduled job failed'));
    },

    async 'may throw where it should reject'() {
      const run = (): Promise<unknown> => {
        throw new Error('at once');
      };
      instances.add(0, { name: 'throwing', intervalMs: 100, timeoutMs: 1_000, run });
      await waitFor(() => instances.logOf('throwing').length > 1);
      expect(instances.logOf('throwing')[0]).toBe('error: scheduled job failed');
    },
  });
});

describe('a job that is woken', () => {
  // Whatever is due only after the interval does not run within a test.
  const intervalMs = 60_000;

  together({
    async 'runs before it is due, once for several wakers'() {
      const work = new Work(nothing);
      const scheduler = instances.add(0, work.job({ name: 'woken', intervalMs }));
      await waitFor(() => work.runs === 1);
      await sleep(50);
      for (let n = 0; n < 50; n++) scheduler.wake('woken');
      await waitFor(() => work.runs === 2);
      await sleep(200);
      expect(work.runs).toBe(2);
    },

    async 'runs again when it was woken within a run, here or in another instance'() {
      const work = new Work(() => sleep(300));
      const [here, there] = ([0, 1] as const).map((which) =>
        instances.add(which, work.job({ name: 'within', intervalMs })),
      );
      await waitFor(() => work.running === 1);
      here?.wake('within');
      there?.wake('within');
      await waitFor(() => work.runs === 3);
      expect(work.most).toBe(1);
      await sleep(600);
      expect(work.runs).toBe(3);
    },

    async 'still pauses after a failure'() {
      const work = new Work(() => Promise.reject(new Error('no')));
      const scheduler = instances.add(0, work.job({ name: 'failed', intervalMs }));
      await waitFor(() => work.runs === 1);
      await sleep(50);
      scheduler.wake('failed');
      await sleep(300);
      expect(work.runs).toBe(1);
    },
  });
});

describe('a database that is unavailable', () => {
  together({
    async 'is logged once, and the work goes on when it is back'() {
      const work = new Work(nothing);
      const { wire } = await instances.addRemote(work.job({ name: 'cut' }));
      await waitFor(() => work.runs >= 1);
      wire.cut();
      await sleep(3_000);
      const lines = instances.logOf('cut').filter((line) => line.endsWith('not started, retrying'));
      expect(lines).toHaveLength(1);
      const before = work.runs;
      await wire.restore();
      await waitFor(() => work.runs > before);
    },

    async 'puts off by seconds what was woken meanwhile, however long the interval is'() {
      const work = new Work(nothing);
      const { wire, scheduler } = await instances.addRemote(work.job({ name: 'rare', intervalMs: 60_000 }));
      await waitFor(() => work.runs === 1);
      await sleep(50);
      wire.cut();
      scheduler.wake('rare');
      await waitFor(() => instances.logOf('rare').length > 0);
      await wire.restore();
      await waitFor(() => work.runs === 2);
    },
  });
});

describe('a scheduler that stops', () => {
  together({
    async 'aborts the job under way, waits for it, and leaves the work to others at once'() {
      const ended: string[] = [];
      const work = new Work(async (signal) => {
        await abortOf(signal);
        await sleep(100);
        ended.push('job');
        throw signal.reason;
      });
      const scheduler = instances.add(0, work.job({ name: 'aborted', intervalMs: 60_000 }));
      await waitFor(() => work.running === 1);
      await scheduler.stop();
      expect(ended).toEqual(['job']);
      expect(instances.logOf('aborted')).toEqual([]);
      const other = new Work(nothing);
      instances.add(1, other.job({ name: 'aborted', intervalMs: 60_000 }));
      await waitFor(() => other.runs === 1);
    },

    async 'does not wait for ever'() {
      let end = (): void => undefined;
      const work = new Work(() => new Promise<void>((resolve) => (end = resolve)));
      const scheduler = instances.add(0, work.job({ name: 'endless' }));
      await waitFor(() => work.running === 1);
      await scheduler.stop();
      expect(instances.logOf('endless')).toEqual(['warn: scheduled job still running at shutdown']);
      end();
      await waitFor(() => work.running === 0);
    },

    async 'starts nothing any more'() {
      const work = new Work(nothing);
      const scheduler = instances.add(0, work.job({ name: 'stopped' }));
      await waitFor(() => work.runs >= 1);
      await scheduler.stop();
      const { runs } = work;
      scheduler.wake('stopped');
      scheduler.start();
      await sleep(500);
      expect(work.runs).toBe(runs);
    },
  });
});

it.each([
  ['a malformed name', { name: 'Expire orders' }, 'is no name'],
  ['a name that is taken', { name: 'known' }, 'registered already'],
  ['no interval', { intervalMs: 0 }, 'may be 100 ms to 24 days'],
  ['an interval that no timer can wait for', { intervalMs: 2 ** 31 }, 'may be 100 ms to 24 days'],
  ['no number for a timeout', { timeoutMs: Number.NaN }, 'may be 100 ms to 24 days'],
])('a scheduler refuses a job with %s', (_what, settings, message) => {
  const work = new Work(nothing);
  const scheduler = new Scheduler({} as JobLeaseStore, console);
  scheduler.register(work.job({ name: 'known' }));
  expect(() => {
    scheduler.register(work.job(settings));
  }).toThrow(message);
});
