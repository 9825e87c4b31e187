import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresJobLeaseStore } from '../src/scheduler/postgres-job-lease.store.js';
import { abortOf, Instances, until, Work } from './instances.js';

let instances: Instances;

beforeAll(async () => {
  instances = await Instances.start();
});
afterAll(() => instances.stop());
afterEach(() => instances.clear());

describe('a scheduled job', () => {
  it('is run again and again by some instance, and never by two at once', async () => {
    const work = new Work(() => sleep(60));
    for (const which of [0, 1, 0, 1] as const) instances.add(which, work.job());
    await until(() => work.runs >= 12);
    expect(work.most).toBe(1);
  });

  it('keeps its interval over all instances', async () => {
    const work = new Work(() => Promise.resolve());
    for (const which of [0, 1] as const) instances.add(which, work.job({ intervalMs: 400 }));
    await until(() => work.runs >= 5);
    const pauses = work.begins.slice(1).map((at, i) => at - (work.begins[i] ?? 0));
    // Measured from the end of a run in the database to the beginning of the next one here.
    expect(Math.min(...pauses)).toBeGreaterThan(350);
  });

  it('is taken over from an instance that died within a run, when its lease is over', async () => {
    const dead = new PostgresJobLeaseStore(instances.databases[0].manager);
    expect(await dead.acquire('test', 1_500, false)).toMatchObject({ granted: true, failures: 0 });
    const died = performance.now();
    const work = new Work(() => Promise.resolve());
    instances.add(1, work.job());
    await until(() => work.runs >= 1);
    expect((work.begins[0] ?? 0) - died).toBeGreaterThan(1_450);
  });

  it('holds no connection while it runs', async () => {
    let busy: { readonly total: number; readonly idle: number } | undefined;
    const work = new Work(() => {
      busy = instances.databases[0].poolStats();
      return Promise.resolve();
    });
    instances.add(0, work.job());
    await until(() => work.runs >= 1);
    expect(busy).toMatchObject({ waiting: 0, idle: busy?.total });
  });

  it('is told when its time is up', async () => {
    const work = new Work(async (signal) => {
      await abortOf(signal);
      throw signal.reason;
    });
    instances.add(0, work.job({ timeoutMs: 200 }));
    await until(() => instances.log.length > 0);
    expect(instances.log).toEqual([{ level: 'error', message: 'scheduled job failed', job: 'test' }]);
    expect(work.running).toBe(0);
  });

  it('is logged when it ignores that', async () => {
    const work = new Work(() => sleep(3_600));
    instances.add(0, work.job({ timeoutMs: 200 }));
    await until(() => instances.log.length > 0);
    expect(instances.log[0]).toMatchObject({
      message: 'scheduled job ignores its timeout, another instance may run it',
    });
    expect(work.most).toBe(1);
    await until(() => work.running === 0);
  });

  it('waits longer after each failure, in all instances, until it succeeds', async () => {
    const work = new Work((_signal, run) =>
      run <= 4 ? Promise.reject(new Error(`failure ${run}`)) : Promise.resolve(),
    );
    for (const which of [0, 1] as const) instances.add(which, work.job());
    await until(() => work.runs >= 6);
    const [, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0] = work.begins;
    expect(third - second).toBeGreaterThan(190);
    expect(fourth - third).toBeGreaterThan(390);
    expect(fifth - fourth).toBeGreaterThan(790);
    expect(sixth - fifth).toBeLessThan(700);
    expect(instances.log.map(({ message }) => message)).toEqual(Array(4).fill('scheduled job failed'));
  });

  it('may throw where it should reject', async () => {
    const run = (): Promise<unknown> => {
      throw new Error('at once');
    };
    instances.add(0, { name: 'test', intervalMs: 100, timeoutMs: 1_000, run });
    await until(() => instances.log.length > 1);
    expect(instances.log[0]).toMatchObject({ level: 'error', message: 'scheduled job failed' });
  });
});

describe('a job that is woken', () => {
  it('runs before it is due, once for several wakers', async () => {
    const work = new Work(() => Promise.resolve());
    const scheduler = instances.add(0, work.job({ intervalMs: 60_000 }));
    await until(() => work.runs === 1);
    await sleep(50);
    const woken = performance.now();
    for (let n = 0; n < 50; n++) scheduler.wake('test');
    await until(() => work.runs === 2);
    expect((work.begins[1] ?? 0) - woken).toBeLessThan(1_000);
    await sleep(200);
    expect(work.runs).toBe(2);
  });

  it('runs again when it was woken within a run, here or in another instance', async () => {
    const work = new Work(() => sleep(300));
    const [here, there] = ([0, 1] as const).map((which) =>
      instances.add(which, work.job({ intervalMs: 60_000 })),
    );
    await until(() => work.running === 1);
    here?.wake('test');
    there?.wake('test');
    await until(() => work.runs === 3);
    expect(work.most).toBe(1);
    await sleep(600);
    expect(work.runs).toBe(3);
  });

  it('still pauses after a failure', async () => {
    const work = new Work(() => Promise.reject(new Error('no')));
    const scheduler = instances.add(0, work.job({ intervalMs: 60_000 }));
    await until(() => work.runs === 1);
    await sleep(50);
    scheduler.wake('test');
    await sleep(300);
    expect(work.runs).toBe(1);
  });
});
