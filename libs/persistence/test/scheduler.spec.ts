import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '../src/database/database.js';
import { PostgresJobLeaseStore } from '../src/scheduler/postgres-job-lease.store.js';
import type { ScheduledJob } from '../src/scheduler/scheduled-job.js';
import { Scheduler } from '../src/scheduler/scheduler.js';
import { type CuttableWire, cuttableWire } from './cuttable-wire.js';
import { soon } from './soon.js';

let server: TestPostgres;
let databases: Database[];
let schedulers: Scheduler[];
let log: { readonly level: string; readonly message: string; readonly job: unknown }[];

beforeAll(async () => {
  server = await startTestPostgres();
  databases = await Promise.all([openDatabase({ url: server.url }), openDatabase({ url: server.url })]);
  await databases[0]?.migrate();
});
afterAll(async () => {
  await Promise.all(databases.map((database) => database.close()));
  await server.stop();
});
beforeEach(async () => {
  log = [];
  schedulers = [];
  await databases[0]?.manager.query('truncate scheduled_jobs');
});
afterEach(() => Promise.all(schedulers.map((scheduler) => scheduler.stop())));

/** An instance of the service, as far as its regular work is concerned. */
function instanceOn(database: Database | undefined, ...jobs: readonly ScheduledJob[]): Scheduler {
  if (database === undefined) throw new Error('There is no such database.');
  const note = (level: string) => (fields: object, message: string) => {
    log.push({ level, message, job: (fields as { readonly job?: unknown }).job });
  };
  const scheduler = new Scheduler(new PostgresJobLeaseStore(database.manager), {
    warn: note('warn'),
    error: note('error'),
  });
  for (const job of jobs) scheduler.register(job);
  schedulers.push(scheduler);
  scheduler.start();
  return scheduler;
}

const instance = (which: number, ...jobs: readonly ScheduledJob[]): Scheduler =>
  instanceOn(databases[which], ...jobs);

/** A job that says when it begins and ends. */
class Work {
  runs = 0;
  running = 0;
  most = 0;
  readonly begins: number[] = [];

  constructor(private readonly body: (signal: AbortSignal, run: number) => Promise<unknown>) {}

  job(settings: Partial<ScheduledJob> = {}): ScheduledJob {
    return {
      name: 'test',
      intervalMs: 100,
      timeoutMs: 5_000,
      run: async (signal) => {
        this.begins.push(performance.now());
        this.runs++;
        this.most = Math.max(this.most, ++this.running);
        try {
          await this.body(signal, this.runs);
        } finally {
          this.running--;
        }
      },
      ...settings,
    };
  }
}

async function until(condition: () => boolean, within = 8_000): Promise<void> {
  await soon(() => (condition() ? Promise.resolve() : Promise.reject(new Error('not yet'))), within);
}

const abortOf = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      resolve();
    });
  });

describe('a scheduled job', () => {
  it('is run again and again by some instance, and never by two at once', async () => {
    const work = new Work(() => sleep(60));
    for (const which of [0, 1, 0, 1]) instance(which, work.job());
    await until(() => work.runs >= 12);
    expect(work.most).toBe(1);
  });

  it('keeps its interval over all instances', async () => {
    const work = new Work(() => Promise.resolve());
    for (const which of [0, 1]) instance(which, work.job({ intervalMs: 400 }));
    await until(() => work.runs >= 5);
    const pauses = work.begins.slice(1).map((at, i) => at - (work.begins[i] ?? 0));
    // Measured from the end of a run in the database to the beginning of the next one here.
    expect(Math.min(...pauses)).toBeGreaterThan(350);
  });

  it('is taken over from an instance that died within a run, when its lease is over', async () => {
    const dead = new PostgresJobLeaseStore((databases[0] as Database).manager);
    expect(await dead.acquire('test', 1_500, false)).toMatchObject({ granted: true, failures: 0 });
    const died = performance.now();
    const work = new Work(() => Promise.resolve());
    instance(1, work.job());
    await until(() => work.runs >= 1);
    expect((work.begins[0] ?? 0) - died).toBeGreaterThan(1_450);
  });

  it('holds no connection while it runs', async () => {
    let busy: { readonly total: number; readonly idle: number } | undefined;
    const work = new Work(() => {
      busy = databases[0]?.poolStats();
      return Promise.resolve();
    });
    instance(0, work.job());
    await until(() => work.runs >= 1);
    expect(busy).toMatchObject({ waiting: 0, idle: busy?.total });
  });

  it('is told when its time is up', async () => {
    const work = new Work(async (signal) => {
      await abortOf(signal);
      throw signal.reason;
    });
    instance(0, work.job({ timeoutMs: 200 }));
    await until(() => log.length > 0);
    expect(log).toEqual([{ level: 'error', message: 'scheduled job failed', job: 'test' }]);
    expect(work.running).toBe(0);
  });

  it('is logged when it ignores that', async () => {
    const work = new Work(() => sleep(3_600));
    instance(0, work.job({ timeoutMs: 200 }));
    await until(() => log.length > 0);
    expect(log[0]).toMatchObject({
      message: 'scheduled job ignores its timeout, another instance may run it',
    });
    expect(work.most).toBe(1);
    await until(() => work.running === 0);
  });

  it('waits longer after each failure, in all instances, until it succeeds', async () => {
    const work = new Work((_signal, run) =>
      run <= 4 ? Promise.reject(new Error(`failure ${run}`)) : Promise.resolve(),
    );
    for (const which of [0, 1]) instance(which, work.job());
    await until(() => work.runs >= 6);
    const [, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0] = work.begins;
    expect(third - second).toBeGreaterThan(190);
    expect(fourth - third).toBeGreaterThan(390);
    expect(fifth - fourth).toBeGreaterThan(790);
    expect(sixth - fifth).toBeLessThan(700);
    expect(log.map(({ message }) => message)).toEqual(Array(4).fill('scheduled job failed'));
  });

  it('may throw where it should reject', async () => {
    const run = (): Promise<unknown> => {
      throw new Error('at once');
    };
    instance(0, { name: 'test', intervalMs: 100, timeoutMs: 1_000, run });
    await until(() => log.length > 1);
    expect(log[0]).toMatchObject({ level: 'error', message: 'scheduled job failed' });
  });
});

describe('a job that is woken', () => {
  it('runs before it is due, once for several wakers', async () => {
    const work = new Work(() => Promise.resolve());
    const scheduler = instance(0, work.job({ intervalMs: 60_000 }));
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
    const [here, there] = [0, 1].map((which) => instance(which, work.job({ intervalMs: 60_000 })));
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
    const scheduler = instance(0, work.job({ intervalMs: 60_000 }));
    await until(() => work.runs === 1);
    await sleep(50);
    scheduler.wake('test');
    await sleep(300);
    expect(work.runs).toBe(1);
  });
});

describe('a database that is away', () => {
  let line: CuttableWire;
  beforeEach(async () => {
    line = await cuttableWire(server.url);
  });
  afterEach(() => {
    line.close();
  });

  it('is logged once, and the work goes on when it is back', async () => {
    const database = await openDatabase({ url: line.url });
    const work = new Work(() => Promise.resolve());
    const scheduler = instanceOn(database, work.job());
    await until(() => work.runs >= 1);
    await sleep(50);
    line.cut();
    await sleep(3_000);
    const away = log.filter(({ message }) => message === 'scheduled job not started, retrying');
    expect(away).toHaveLength(1);
    const before = work.runs;
    await line.restore();
    await until(() => work.runs > before);
    await scheduler.stop();
    await database.close();
  });
});

describe('a scheduler that stops', () => {
  it('tells the job under way, waits for it, and leaves the work to others at once', async () => {
    const ended: string[] = [];
    const work = new Work(async (signal) => {
      await abortOf(signal);
      await sleep(100);
      ended.push('job');
      throw signal.reason;
    });
    const scheduler = instance(0, work.job({ intervalMs: 60_000 }));
    await until(() => work.running === 1);
    await scheduler.stop();
    expect(ended).toEqual(['job']);
    expect(log).toEqual([]);
    const other = new Work(() => Promise.resolve());
    instance(1, other.job({ intervalMs: 60_000 }));
    await until(() => other.runs === 1, 2_000);
  });

  it('does not wait for ever', async () => {
    let end = (): void => undefined;
    const work = new Work(() => new Promise<void>((resolve) => (end = resolve)));
    const scheduler = instance(0, work.job());
    await until(() => work.running === 1);
    const since = performance.now();
    await scheduler.stop();
    expect(performance.now() - since).toBeLessThan(4_000);
    expect(log).toEqual([{ level: 'warn', message: 'scheduled job still running at shutdown', job: 'test' }]);
    end();
    await until(() => work.running === 0);
  });

  it('starts nothing any more', async () => {
    const work = new Work(() => Promise.resolve());
    const scheduler = instance(0, work.job());
    await until(() => work.runs >= 1);
    await scheduler.stop();
    const { runs } = work;
    scheduler.wake('test');
    scheduler.start();
    await sleep(500);
    expect(work.runs).toBe(runs);
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
    const scheduler = new Scheduler({} as PostgresJobLeaseStore, console);
    scheduler.register(work.job({ name: 'known' }));
    expect(() => {
      scheduler.register(work.job(settings));
    }).toThrow(message);
  });

  it('does not wake what it does not know', () => {
    expect(() => {
      new Scheduler({} as PostgresJobLeaseStore, console).wake('nothing');
    }).toThrow('There is no scheduled job nothing.');
  });
});
