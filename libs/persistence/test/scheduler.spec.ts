import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@petstore/testing';
import { JobLeaseStore } from '../src/scheduler/job-lease.store.js';
import { Scheduler } from '../src/scheduler/scheduler.js';
import { Instances, together, untilAborted, Work } from './instances.js';

const instances = new Instances();
beforeAll(() => instances.start());
afterAll(() => instances.stop());

const BOTH = [0, 1] as const;
/** Longer than any test. */
const RARELY = { intervalMs: 600_000 };

const nothing = (): Promise<void> => Promise.resolve();
const leases = (): JobLeaseStore => new JobLeaseStore(instances.databases[0].manager);

it('holds no connection while its job runs', async () => {
  let busy: { readonly total: number; readonly idle: number } | undefined;
  const work = instances.run('idle', () => {
    busy = instances.databases[0].poolStats();
    return nothing();
  });
  await waitFor(() => work.runs >= 1);
  await work.schedulers[0]?.stop();
  expect(busy).toMatchObject({ waiting: 0, idle: busy?.total });
});

describe('a scheduled job', () => {
  together({
    async 'is run again and again by some instance, and never by two at once'() {
      const work = instances.run('often', () => sleep(60), {}, [0, 1, 0, 1]);
      await waitFor(() => work.runs >= 12);
      expect(work.most).toBe(1);
    },

    async 'keeps its interval over all instances'() {
      const work = instances.run('interval', nothing, { intervalMs: 400 }, BOTH);
      await waitFor(() => work.runs >= 5);
      // Measured from the end of a run in the database to the beginning of the next one here.
      expect(Math.min(...work.pauses)).toBeGreaterThan(350);
    },

    async 'is taken over from an instance that died within a run, when its lease is over'() {
      const leased = performance.now();
      expect(await leases().acquire('orphan', 1_500)).toMatchObject({
        granted: true,
        failures: 0,
      });
      const work = instances.run('orphan');
      await waitFor(() => work.runs >= 1);
      expect((work.begins[0] ?? 0) - leased).toBeGreaterThan(1_490);
    },

    async 'is aborted when its time is up'() {
      const work = instances.run('long', untilAborted, { timeoutMs: 200, ...RARELY });
      await waitFor(() => instances.logOf('long').length > 0);
      expect(instances.logOf('long')).toEqual(['error: scheduled job failed']);
      expect(work.running).toBe(0);
    },

    async 'is logged when it ignores that'() {
      const work = instances.run('deaf', () => sleep(3_600), { timeoutMs: 200, ...RARELY });
      await waitFor(() => instances.logOf('deaf').length > 0);
      expect(instances.logOf('deaf')[0]).toContain('ignores its timeout, another instance may run it');
      await waitFor(() => work.running === 0);
      expect(work.most).toBe(1);
    },

    async 'waits longer after each failure, in all instances, until it succeeds'() {
      const body = (_signal: AbortSignal, run: number): Promise<void> => {
        // Also one that throws where it should reject.
        if (run === 1) throw new Error('at once');
        return run <= 4 ? Promise.reject(new Error(`failure ${run}`)) : nothing();
      };
      const work = instances.run('failing', body, {}, BOTH);
      await waitFor(() => work.runs >= 6);
      const [, second = 0, third = 0, fourth = 0] = work.pauses;
      expect([second > 190, third > 390, fourth > 790]).toEqual([true, true, true]);
      expect(instances.logOf('failing')).toEqual(Array(4).fill('error: scheduled job failed'));
    },
  });
});

describe('a scheduler', () => {
  together({
    async 'logs once that its database is unavailable, and goes on when that is back'() {
      const work = new Work(nothing);
      const wire = await instances.addRemote(work.job({ name: 'cut' }));
      await waitFor(() => work.runs >= 1);
      wire.cut();
      const lines = (): string[] =>
        instances.logOf('cut').filter((line) => line.endsWith('not started, retrying'));
      await waitFor(() => lines().length > 0);
      // It has tried again meanwhile.
      await sleep(2_000);
      expect(lines()).toHaveLength(1);
      const before = work.runs;
      await wire.restore();
      await waitFor(() => work.runs > before);
    },

    async 'puts off by seconds what was due meanwhile, however long the interval is'() {
      const work = new Work(nothing);
      const wire = await instances.addRemote(work.job({ name: 'rare', ...RARELY }));
      wire.cut();
      await waitFor(() => instances.logOf('rare').length > 0);
      await wire.restore();
      await waitFor(() => work.runs === 1);
    },

    async 'that stops aborts the job under way, waits for it, and leaves the work to others at once'() {
      const body = (signal: AbortSignal): Promise<void> =>
        untilAborted(signal).catch(async (reason: unknown) => {
          await sleep(100);
          throw reason;
        });
      const work = instances.run('aborted', body, RARELY);
      await waitFor(() => work.running === 1);
      await work.schedulers[0]?.stop();
      expect(work.running).toBe(0);
      expect(instances.logOf('aborted')).toEqual([]);
      const other = instances.run('aborted', nothing, RARELY, [1]);
      await waitFor(() => other.runs === 1);
    },

    async 'that stops does not wait for ever'() {
      let end = (): void => undefined;
      const work = instances.run('endless', () => new Promise<void>((resolve) => (end = resolve)));
      await waitFor(() => work.running === 1);
      await work.schedulers[0]?.stop();
      expect(instances.logOf('endless')).toEqual(['warn: scheduled job still running at shutdown']);
      end();
      await waitFor(() => work.running === 0);
    },

    async 'that has stopped starts nothing any more'() {
      const work = instances.run('stopped');
      await waitFor(() => work.runs >= 1);
      const [scheduler] = work.schedulers;
      await scheduler?.stop();
      const { runs } = work;
      scheduler?.start();
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
