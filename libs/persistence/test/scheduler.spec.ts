import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@petstore/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresJobLeaseStore } from '../src/scheduler/postgres-job-lease.store.js';
import { abortOf, Instances, Work } from './instances.js';
import { together } from './together.js';

let instances: Instances;

beforeAll(async () => {
  instances = await Instances.start();
});
afterAll(() => instances.stop());

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
    return Promise.resolve();
  });
  instances.add(0, work.job());
  await waitFor(() => work.runs >= 1);
  expect(busy).toMatchObject({ waiting: 0, idle: busy?.total });
  await instances.clear();
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
      const work = new Work(() => Promise.resolve());
      for (const which of [0, 1] as const)
        instances.add(which, work.job({ name: 'interval', intervalMs: 400 }));
      await waitFor(() => work.runs >= 5);
      const pauses = work.begins.slice(1).map((at, i) => at - (work.begins[i] ?? 0));
      // Measured from the end of a run in the database to the beginning of the next one here.
      expect(Math.min(...pauses)).toBeGreaterThan(350);
    },

    async 'is taken over from an instance that died within a run, when its lease is over'() {
      const dead = new PostgresJobLeaseStore(instances.databases[0].manager);
      expect(await dead.acquire('orphan', 1_500, 100, false)).toMatchObject({ granted: true, failures: 0 });
      const died = performance.now();
      const work = new Work(() => Promise.resolve());
      instances.add(1, work.job({ name: 'orphan' }));
      await waitFor(() => work.runs >= 1);
      expect((work.begins[0] ?? 0) - died).toBeGreaterThan(1_450);
    },

    async 'is due when a clock that was wrong has put it off'() {
      const work = new Work(() => Promise.resolve());
      for (const which of [0, 1] as const) instances.add(which, work.job({ name: 'postponed' }));
      await waitFor(() => work.runs >= 2);
      await putOff('postponed', 'next_run_at');
      const { runs } = work;
      await waitFor(() => work.runs >= runs + 2);
      expect(work.most).toBe(1);
    },

    async 'is taken over when its instance died while a clock was wrong'() {
      const dead = new PostgresJobLeaseStore(instances.databases[0].manager);
      expect(await dead.acquire('stranded', 8_000, 100, false)).toMatchObject({ granted: true });
      await putOff('stranded', 'leased_until');
      const work = new Work(() => Promise.resolve());
      instances.add(1, work.job({ name: 'stranded' }));
      await waitFor(() => work.runs >= 2);
    },

    async 'is told when its time is up'() {
      const work = new Work(async (signal) => {
        await abortOf(signal);
        throw signal.reason;
      });
      instances.add(0, work.job({ name: 'long', timeoutMs: 200, intervalMs: 60_000 }));
      await waitFor(() => instances.logOf('long').length > 0);
      expect(instances.logOf('long')).toEqual([
        { level: 'error', message: 'scheduled job failed', job: 'long' },
      ]);
      expect(work.running).toBe(0);
    },

    async 'is logged when it ignores that'() {
      const work = new Work(() => sleep(3_600));
      instances.add(0, work.job({ name: 'deaf', timeoutMs: 200, intervalMs: 60_000 }));
      await waitFor(() => instances.logOf('deaf').length > 0);
      expect(instances.logOf('deaf')[0]).toMatchObject({
        message: 'scheduled job ignores its timeout, another instance may run it',
      });
      expect(work.most).toBe(1);
      await waitFor(() => work.running === 0);
    },

    async 'waits longer after each failure, in all instances, until it succeeds'() {
      const work = new Work((_signal, run) =>
        run <= 4 ? Promise.reject(new Error(`failure ${run}`)) : Promise.resolve(),
      );
      for (const which of [0, 1] as const) instances.add(which, work.job({ name: 'failing' }));
      await waitFor(() => work.runs >= 6);
      const [, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0] = work.begins;
      expect(third - second).toBeGreaterThan(190);
      expect(fourth - third).toBeGreaterThan(390);
      expect(fifth - fourth).toBeGreaterThan(790);
      expect(sixth - fifth).toBeLessThan(1_500);
      const messages = instances.logOf('failing').map(({ message }) => message);
      expect(messages).toEqual(Array(4).fill('scheduled job failed'));
    },

    async 'may throw where it should reject'() {
      const run = (): Promise<unknown> => {
        throw new Error('at once');
      };
      instances.add(0, { name: 'throwing', intervalMs: 100, timeoutMs: 1_000, run });
      await waitFor(() => instances.logOf('throwing').length > 1);
      expect(instances.logOf('throwing')[0]).toMatchObject({
        level: 'error',
        message: 'scheduled job failed',
      });
    },
  });
});

describe('a job that is woken', () => {
  together({
    async 'runs before it is due, once for several wakers'() {
      const work = new Work(() => Promise.resolve());
      const scheduler = instances.add(0, work.job({ name: 'woken', intervalMs: 60_000 }));
      await waitFor(() => work.runs === 1);
      await sleep(50);
      const woken = performance.now();
      for (let n = 0; n < 50; n++) scheduler.wake('woken');
      await waitFor(() => work.runs === 2);
      expect((work.begins[1] ?? 0) - woken).toBeLessThan(20_000);
      await sleep(200);
      expect(work.runs).toBe(2);
    },

    async 'runs again when it was woken within a run, here or in another instance'() {
      const work = new Work(() => sleep(300));
      const [here, there] = ([0, 1] as const).map((which) =>
        instances.add(which, work.job({ name: 'within', intervalMs: 60_000 })),
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
      const scheduler = instances.add(0, work.job({ name: 'failed', intervalMs: 60_000 }));
      await waitFor(() => work.runs === 1);
      await sleep(50);
      scheduler.wake('failed');
      await sleep(300);
      expect(work.runs).toBe(1);
    },
  });
});
