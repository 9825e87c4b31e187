import { beforeAll, it } from '@jest/globals';
import type { TestPostgres } from '@petstore/test-servers';
import { Database } from '../src/database/database.js';
import { JobLeaseStore } from '../src/scheduler/job-lease.store.js';
import type { ScheduledJob } from '../src/scheduler/job-runner.js';
import { Scheduler } from '../src/scheduler/scheduler.js';
import { PATIENT, startMigratedServer } from './test-database.js';
import { Wire } from './wire.js';

/** A database server, and instances of the service as far as their scheduled jobs are concerned. */
export class Instances {
  databases!: readonly [Database, Database];
  private server!: TestPostgres;
  private readonly log: (readonly [job: unknown, line: string])[] = [];
  private readonly schedulers: Scheduler[] = [];
  private readonly wires: Wire[] = [];
  private readonly opened: Database[] = [];

  async start(): Promise<void> {
    this.server = await startMigratedServer();
    this.databases = [await this.open(this.server.url), await this.open(this.server.url)];
  }

  async stop(): Promise<void> {
    await Promise.all(this.schedulers.map((scheduler) => scheduler.stop()));
    await Promise.all(this.opened.map((database) => database.close()));
    for (const wire of this.wires) wire.refuse();
    await this.server.stop();
  }

  /** What was logged of a job. */
  logOf(job: string): readonly string[] {
    return this.log.flatMap(([of, line]) => (of === job ? [line] : []));
  }

  /** Starts an instance on one of two databases, or on another one. */
  add(on: 0 | 1 | Database, job: ScheduledJob): Scheduler {
    const note = (level: string) => (fields: object, message: string) => {
      this.log.push([(fields as { readonly job?: unknown }).job, `${level}: ${message}`]);
    };
    const { manager } = typeof on === 'number' ? this.databases[on] : on;
    const scheduler = new Scheduler(new JobLeaseStore(manager), {
      warn: note('warn'),
      error: note('error'),
    });
    scheduler.register(job);
    this.schedulers.push(scheduler);
    scheduler.start();
    return scheduler;
  }

  /** Starts instances with this work, on one of two databases each. */
  run(
    name: string,
    body: WorkBody = () => Promise.resolve(),
    settings: Partial<ScheduledJob> = {},
    on: readonly (0 | 1)[] = [0],
  ): Work & { readonly schedulers: readonly Scheduler[] } {
    const work = new Work(body);
    return Object.assign(work, {
      schedulers: on.map((which) => this.add(which, work.job({ name, ...settings }))),
    });
  }

  /** Starts an instance whose database can be cut off. */
  async addRemote(job: ScheduledJob): Promise<Wire> {
    const wire = await Wire.to(this.server.url);
    this.add(await this.open(wire.url), job);
    this.wires.push(wire);
    return wire;
  }

  private async open(url: string): Promise<Database> {
    // A lease that is late would be logged as one that cannot be had.
    const database = await Database.open({ url, ...PATIENT });
    this.opened.push(database);
    return database;
  }
}

type WorkBody = (signal: AbortSignal, run: number) => Promise<unknown>;

/** Work of a job that records when it begins and ends. */
export class Work {
  runs = 0;
  running = 0;
  /** Most runs at the same time. */
  most = 0;
  readonly begins: number[] = [];

  constructor(private readonly body: WorkBody) {}

  /** Milliseconds between the beginnings of runs. */
  get pauses(): number[] {
    return this.begins.slice(1).map((at, n) => at - (this.begins[n] ?? 0));
  }

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

/** Rejects when the run is aborted. */
export const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });

/**
 * Tests that mostly wait, and do not disturb each other: all of them begin at the same time.
 *
 * @param tests each by its name; they run after the `beforeAll` that stand before this call
 */
export function together(tests: Readonly<Record<string, () => Promise<void>>>): void {
  const outcomes = new Map<string, Promise<unknown>>();
  beforeAll(() => {
    for (const [name, test] of Object.entries(tests)) {
      const outcome = test();
      outcomes.set(name, outcome);
      // Until its test begins, a failure is not awaited.
      outcome.catch(() => undefined);
    }
  });
  for (const name of Object.keys(tests)) {
    it(name, async () => {
      await outcomes.get(name);
    });
  }
}
