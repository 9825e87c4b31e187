import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { waitFor } from '@petstore/testing';
import type { Database } from '../src/database/database.js';
import { type JobRuns, type ScheduledJob, Scheduler } from '../src/scheduler/scheduler.js';
import { TestDatabase } from './test-database.js';
import { Wire } from './wire.js';

const db = new TestDatabase();
/** Of instances of the service; the last one's can be cut off. */
let databases: Database[];
let wire: Wire;
beforeAll(async () => {
  wire = await Wire.to(db.postgres.url);
  const others = await Promise.all([db.open(), db.open({ url: wire.url })]);
  databases = [db.stores, ...others].map(({ database }) => database);
});

const schedulers: Scheduler[] = [];
const log: (readonly [job: unknown, line: string])[] = [];
const logOf = (job: string): string[] => log.flatMap(([of, line]) => (of === job ? [line] : []));
const note = (level: string) => (fields: object, message: string) => {
  log.push([(fields as { readonly job?: unknown }).job, `${level}: ${message}`]);
};
afterAll(async () => {
  await Promise.all(schedulers.map((scheduler) => scheduler.stop()));
  wire.refuse();
});

type Body = (signal: AbortSignal) => Promise<unknown>;

/** What a job does in all instances. */
class Work {
  runs = 0;
  running = 0;
  /** Most runs at the same time. */
  most = 0;
  readonly begins: number[] = [];

  constructor(
    private readonly name: string,
    private readonly body: Body = () => Promise.resolve(),
    private readonly settings: Partial<ScheduledJob> = {},
  ) {}

  /** Starts instances on these databases. @returns the first one */
  on(...which: number[]): Scheduler {
    const [first] = which.map((n) => {
      const { manager } = databases[n] as Database;
      const scheduler = new Scheduler(manager, { warn: note('warn'), error: note('error') });
      scheduler.register({
        name: this.name,
        intervalMs: 100,
        run: (signal) => this.run(signal),
        ...this.settings,
      });
      schedulers.push(scheduler);
      scheduler.start();
      return scheduler;
    });
    return first as Scheduler;
  }

  private async run(signal: AbortSignal): Promise<void> {
    this.begins.push(performance.now());
    this.runs++;
    this.most = Math.max(this.most, ++this.running);
    try {
      await this.body(signal);
    } finally {
      this.running--;
    }
  }
}

/** Rejects when the run is aborted. */
const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });
/** Longer than any test. */
const RARELY = { intervalMs: 600_000 };

it('a job is run again and again by some instance, never by two at once, and after its interval in all', async () => {
  const next: number[] = [];
  const work = new Work(
    'often',
    async () => {
      const [job] = await db.query<{ at: number }>(
        `select extract(epoch from next_run_at)::float8 * 1000 as at from scheduled_jobs where name = 'often'`,
      );
      next.push(job?.at ?? NaN);
    },
    { intervalMs: 400 },
  );
  work.on(0, 1, 0, 1);
  await waitFor(() => next.length >= 5);
  expect(work.most).toBe(1);
  const pauses = next.slice(1).map((at, n) => at - (next[n] ?? 0));
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(399);
});

it('a job holds no connection while it runs', async () => {
  let busy: { readonly total: number; readonly idle: number } | undefined;
  const work = new Work('idle', () => Promise.resolve((busy = databases[0]?.poolStats())), RARELY);
  work.on(0);
  await waitFor(() => busy);
  expect(busy).toMatchObject({ waiting: 0, idle: busy?.total });
});

it('a job is taken over from an instance that died within a run, when it is due again', async () => {
  const taken = performance.now();
  await db.query(`insert into scheduled_jobs values ('orphan', now() + interval '1.5 s')`);
  const work = new Work('orphan');
  work.on(0);
  await waitFor(() => work.runs >= 1);
  expect((work.begins[0] ?? 0) - taken).toBeGreaterThan(1_490);
});

const IGNORES = 'error: scheduled job ignores its timeout, another instance may run it';

it.each<[string, Body, outcome: 'failed' | 'succeeded', line: string]>([
  ['is aborted when its time is up', untilAborted, 'failed', 'error: scheduled job failed'],
  [
    'is logged when it ignores that',
    () => waitFor(() => logOf('is logged when it ignores that').length > 0),
    'succeeded',
    IGNORES,
  ],
  [
    'is logged when it throws at once',
    () => {
      throw new Error('at once');
    },
    'failed',
    'error: scheduled job failed',
  ],
])('a job %s', async (what, body, outcome, line) => {
  const work = new Work(what, body, { intervalMs: 400 });
  const scheduler = work.on(0);
  await waitFor(() => (scheduler.runs()[0]?.[outcome] ?? 0) > 0);
  expect(logOf(what)[0]).toBe(line);
});

it('counts the runs of a job by their outcome, and how long ago one was a success', async () => {
  let fails = false;
  const work = new Work('counted', () => (fails ? Promise.reject(new Error('No.')) : Promise.resolve()));
  const scheduler = work.on(0);
  const runs = (): JobRuns | undefined => scheduler.runs()[0];
  await waitFor(() => (runs()?.succeeded ?? 0) >= 2);
  expect(runs()).toMatchObject({ name: 'counted', intervalMs: 100, failed: 0, notStarted: 0 });
  fails = true;
  await waitFor(() => (runs()?.failed ?? 0) >= 2);
  const { sinceSuccessMs = 0, succeeded } = runs() ?? {};
  expect(sinceSuccessMs).toBeGreaterThan(100);
  fails = false;
  await waitFor(() => (runs()?.succeeded ?? 0) > (succeeded ?? 0));
  expect(runs()?.sinceSuccessMs).toBeLessThan(sinceSuccessMs);
});

it('counts nothing where the jobs are for other instances', () => {
  const scheduler = new Scheduler(
    db.stores.database.manager,
    { warn: note('warn'), error: note('error') },
    false,
  );
  scheduler.register({ name: 'elsewhere', ...RARELY, run: untilAborted });
  scheduler.onApplicationBootstrap();
  expect(scheduler.runs()).toEqual([]);
});

it('an instance logs once that its database is unavailable, and does soon what was due meanwhile', async () => {
  const [often, rare] = [new Work('cut'), new Work('rare', undefined, RARELY)];
  const cut = often.on(2);
  await waitFor(() => often.runs >= 1);
  wire.cut();
  rare.on(2);
  await waitFor(() => logOf('cut').length + logOf('rare').length >= 2);
  const { accepted } = wire;
  // One has tried again.
  await waitFor(() => wire.accepted > accepted);
  expect(cut.runs()[0]?.notStarted).toBeGreaterThan(0);
  const { runs } = often;
  await wire.restore();
  await waitFor(() => often.runs > runs && rare.runs === 1);
  for (const job of ['cut', 'rare'])
    expect(logOf(job).filter((line) => line.includes('not started'))).toEqual([
      'warn: scheduled job not started, retrying',
    ]);
});

it('an instance that stops aborts its jobs, waits for them, and leaves them to others', async () => {
  const body = async (signal: AbortSignal): Promise<void> => {
    await untilAborted(signal).catch(() => undefined);
    await db.query('select 1');
    signal.throwIfAborted();
  };
  const work = new Work('aborted', body, { intervalMs: 2_000 });
  const scheduler = work.on(0);
  await waitFor(() => work.running === 1);
  await scheduler.stop();
  expect([work.running, logOf('aborted')]).toEqual([0, []]);
  work.on(1);
  await waitFor(() => work.runs === 2);
  expect(() => {
    scheduler.register({ name: 'aborted', ...RARELY, run: untilAborted });
  }).toThrow('registered already');
});

it('an instance that stops does not wait for ever', async () => {
  let end = (): void => undefined;
  const work = new Work('endless', () => new Promise<void>((resolve) => (end = resolve)), RARELY);
  const scheduler = work.on(0);
  await waitFor(() => work.running === 1);
  await scheduler.stop();
  expect(logOf('endless')).toEqual(['warn: scheduled job still running at shutdown']);
  end();
});
