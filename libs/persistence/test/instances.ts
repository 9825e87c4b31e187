import { Database } from '../src/database/database.js';
import { PostgresJobLeaseStore } from '../src/scheduler/postgres-job-lease.store.js';
import type { ScheduledJob } from '../src/scheduler/scheduled-job.js';
import { Scheduler } from '../src/scheduler/scheduler.js';
import { startMigratedServer } from './migrated-server.js';

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly job: unknown;
}

/** A database server, and instances of the service as far as their regular work is concerned. */
export class Instances {
  readonly log: LogLine[] = [];
  private schedulers: Scheduler[] = [];

  private constructor(
    readonly url: string,
    readonly databases: readonly [Database, Database],
    private readonly stopServer: () => Promise<unknown>,
  ) {}

  static async start(): Promise<Instances> {
    const server = await startMigratedServer();
    const { url } = server;
    const databases = await Promise.all([Database.open({ url }), Database.open({ url })]);
    return new Instances(url, databases, () => server.stop());
  }

  /** What was logged of a job. */
  logOf(job: string): readonly LogLine[] {
    return this.log.filter((line) => line.job === job);
  }

  /** Starts an instance on a database of its own, or on one of the two. */
  add(on: 0 | 1 | Database, ...jobs: readonly ScheduledJob[]): Scheduler {
    const note = (level: string) => (fields: object, message: string) => {
      this.log.push({ level, message, job: (fields as { readonly job?: unknown }).job });
    };
    const database = typeof on === 'number' ? this.databases[on] : on;
    const scheduler = new Scheduler(new PostgresJobLeaseStore(database.manager), {
      warn: note('warn'),
      error: note('error'),
    });
    for (const job of jobs) scheduler.register(job);
    this.schedulers.push(scheduler);
    scheduler.start();
    return scheduler;
  }

  /** Ends all instances, and forgets what they have done. */
  async clear(): Promise<void> {
    await Promise.all(this.schedulers.splice(0).map((scheduler) => scheduler.stop()));
    await this.databases[0].manager.query('truncate scheduled_jobs');
    this.log.splice(0);
  }

  async stop(): Promise<void> {
    await this.clear();
    await Promise.all(this.databases.map((database) => database.close()));
    await this.stopServer();
  }
}

/** Work that says when it begins and ends. */
export class Work {
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

export const abortOf = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
