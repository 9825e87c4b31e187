import type { JobLeaseStore } from './job-lease.store.js';
import { JobRunner, type ScheduledJob, type SchedulerLog } from './job-runner.js';

/** How long a shutdown waits for the jobs that run. */
const STOP_TIMEOUT_MS = 3_000;

const NAME = /^[a-z][a-z0-9_:]{0,62}$/;
/** Limits of an interval; the upper one is that of Node's timers, 24 days. */
const MIN_INTERVAL_MS = 100;
const MAX_INTERVAL_MS = 24 * 24 * 60 * 60 * 1000;

/**
 * Regular work of a service of which there are several instances: for each run of a job one instance takes it, and no
 * two run it at once.
 *
 * The right to run is a lease in the database, which holds for the job's timeout and a grace. So an instance that dies
 * is replaced after that time; one that is suspended for longer (SIGSTOP, a blocked event loop) may find that another
 * has taken over. Jobs are therefore safe to repeat, and keep their changes in transactions.
 *
 * A job that is due and finds no free lease costs one statement per interval and instance; no connection is held.
 */
export class Scheduler {
  private readonly runners = new Map<string, JobRunner>();
  private stopping: Promise<unknown> | undefined;
  private state: 'new' | 'started' | 'stopped' = 'new';

  constructor(
    private readonly leases: JobLeaseStore,
    private readonly log: SchedulerLog,
    /** Whether Nest starts it; without that the jobs are for other instances. */
    private readonly startsWithApplication = true,
  ) {}

  /**
   * Adds a job, which begins when the scheduler has been started.
   *
   * @throws {RangeError} when its name is taken or malformed, or its interval too short
   */
  register(job: ScheduledJob): void {
    const { name, intervalMs, timeoutMs } = job;
    if (!NAME.test(name)) throw new RangeError(`"${name}" is no name for a scheduled job.`);
    if (this.runners.has(name)) throw new RangeError(`The scheduled job ${name} is registered already.`);
    for (const ms of [intervalMs, timeoutMs]) {
      if (ms >= MIN_INTERVAL_MS && ms <= MAX_INTERVAL_MS) continue;
      throw new RangeError(`Interval and timeout of the scheduled job ${name} may be 100 ms to 24 days.`);
    }
    const runner = new JobRunner(job, this.leases, this.log);
    this.runners.set(name, runner);
    if (this.state === 'started') runner.start();
  }

  start(): void {
    if (this.state !== 'new') return;
    this.state = 'started';
    for (const runner of this.runners.values()) runner.start();
  }

  /** Starts nothing any more, signals running jobs to end, and waits for them for a bounded time. May be called again. */
  async stop(): Promise<void> {
    this.state = 'stopped';
    this.stopping ??= Promise.all([...this.runners.values()].map((runner) => runner.stop(STOP_TIMEOUT_MS)));
    await this.stopping;
  }

  /** Called by Nest when all modules have registered their jobs. */
  onApplicationBootstrap(): void {
    if (this.startsWithApplication) this.start();
  }

  /** Called by Nest first of all: jobs end while requests are still being served. */
  onModuleDestroy(): void {
    void this.stop();
  }

  /** Called by Nest before the connections to the database are closed. */
  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }
}
