import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@petstore/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../src/database/database.js';
import type { JobLeaseStore } from '../src/scheduler/job-lease.store.js';
import type { ScheduledJob } from '../src/scheduler/scheduled-job.js';
import { Scheduler } from '../src/scheduler/scheduler.js';
import { cuttableWire } from './cuttable-wire.js';
import { abortOf, Instances, Work } from './instances.js';
import { together } from './together.js';

let instances: Instances;

beforeAll(async () => {
  instances = await Instances.start();
});
afterAll(() => instances.stop());

type Wire = Awaited<ReturnType<typeof cuttableWire>>;

/** Runs a job on a database that can be cut off, and ends all that also when the test fails. */
async function onWire(
  job: ScheduledJob,
  test: (line: Wire, scheduler: Scheduler) => Promise<void>,
): Promise<void> {
  const line = await cuttableWire(instances.url);
  const database = await Database.open({ url: line.url });
  const scheduler = instances.add(database, job);
  try {
    await test(line, scheduler);
  } finally {
    await scheduler.stop();
    await database.close();
    line.close();
  }
}

describe('a database that is unavailable', () => {
  together({
    async 'is logged once, and the work goes on when it is back'() {
      const work = new Work(() => Promise.resolve());
      await onWire(work.job({ name: 'cut' }), async (line) => {
        await waitFor(() => work.runs >= 1);
        await sleep(50);
        line.cut();
        await sleep(3_000);
        const notStarted = instances
          .logOf('cut')
          .filter(({ message }) => message === 'scheduled job not started, retrying');
        expect(notStarted).toHaveLength(1);
        const before = work.runs;
        await line.restore();
        await waitFor(() => work.runs > before);
      });
    },

    async 'puts off by seconds what was woken meanwhile, however long the interval is'() {
      const work = new Work(() => Promise.resolve());
      await onWire(work.job({ name: 'rare', intervalMs: 60_000 }), async (line, scheduler) => {
        await waitFor(() => work.runs === 1);
        await sleep(50);
        line.cut();
        scheduler.wake('rare');
        await waitFor(() => instances.logOf('rare').length > 0);
        await line.restore();
        await waitFor(() => work.runs === 2);
      });
    },
  });
});

describe('a scheduler that stops', () => {
  together({
    async 'tells the job under way, waits for it, and leaves the work to others at once'() {
      const ended: string[] = [];
      const work = new Work(async (signal) => {
        await abortOf(signal);
        await sleep(100);
        ended.push('job');
        throw signal.reason;
      });
      const scheduler = instances.add(0, work.job({ name: 'told', intervalMs: 60_000 }));
      await waitFor(() => work.running === 1);
      await scheduler.stop();
      expect(ended).toEqual(['job']);
      expect(instances.logOf('told')).toEqual([]);
      const other = new Work(() => Promise.resolve());
      instances.add(1, other.job({ name: 'told', intervalMs: 60_000 }));
      await waitFor(() => other.runs === 1);
    },

    async 'does not wait for ever'() {
      let end = (): void => undefined;
      const work = new Work(() => new Promise<void>((resolve) => (end = resolve)));
      const scheduler = instances.add(0, work.job({ name: 'endless' }));
      await waitFor(() => work.running === 1);
      const since = performance.now();
      await scheduler.stop();
      expect(performance.now() - since).toBeLessThan(20_000);
      expect(instances.logOf('endless')).toEqual([
        { level: 'warn', message: 'scheduled job still running at shutdown', job: 'endless' },
      ]);
      end();
      await waitFor(() => work.running === 0);
    },

    async 'starts nothing any more'() {
      const work = new Work(() => Promise.resolve());
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

describe('a scheduler', () => {
  it.each([
    ['a malformed name', { name: 'Expire orders' }, 'is no name'],
    ['a name that is taken', { name: 'known' }, 'registered already'],
    ['no interval', { intervalMs: 0 }, 'may be 100 ms to 24 days'],
    ['an interval that no timer can wait for', { intervalMs: 2 ** 31 }, 'may be 100 ms to 24 days'],
    ['no number for a timeout', { timeoutMs: Number.NaN }, 'may be 100 ms to 24 days'],
  ])('refuses a job with %s', (_what, settings, message) => {
    const work = new Work(() => Promise.resolve());
    const scheduler = new Scheduler({} as JobLeaseStore, console);
    scheduler.register(work.job({ name: 'known' }));
    expect(() => {
      scheduler.register(work.job(settings));
    }).toThrow(message);
  });

  it('does not wake what it does not know', () => {
    expect(() => {
      new Scheduler({} as JobLeaseStore, console).wake('nothing');
    }).toThrow('There is no scheduled job nothing.');
  });
});
