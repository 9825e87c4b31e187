import { setTimeout as sleep } from 'node:timers/promises';
import type { JobLeaseStore } from './job-lease.store.js';

/** Regular work that one instance at a time does, whichever instance comes first. */
export interface ScheduledJob {
  /** Names the work in all instances, for ever. */
  readonly name: string;
  /** From the end of a run in any instance to the beginning of the next one in any instance. */
  readonly intervalMs: number;
  /** When its signal aborts. It then has {@link ABORT_GRACE_MS} to end before another instance may begin. */
  readonly timeoutMs: number;
  /**
   * Does the work. A rejection is logged. An instance can die at any point of it, so that it must be safe to repeat.
   *
   * @param signal aborts when the time is up, or the instance stops: the work ends at its next safe point
   */
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

/** How the runs of a job in this instance have ended. */
export interface JobRuns {
  readonly name: string;
  readonly intervalMs: number;
  /** Done before the timeout. */
  readonly succeeded: number;
  /** Rejected; a run that the end of the instance has cut short is neither. */
  readonly failed: number;
  /** The lease could not be requested. */
  readonly notStarted: number;
  /** Milliseconds since the last success, or since the instance began to ask for leases if there was none. */
  readonly sinceSuccessMs: number;
}

/** Where the scheduler logs; pino's loggers are one. */
export interface SchedulerLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** How long a job may take to end after its signal has aborted. Every statement ends sooner by its own timeout. */
const ABORT_GRACE_MS = 3_000;
/** How long a shutdown waits for the jobs that run. */
const STOP_TIMEOUT_MS = 3_000;
/** Largest jitter of an interval, so that instances do not ask at the same moment. */
const MAX_JITTER_MS = 1_000;
/** Longest pause after a lease could not be requested: a due run is not delayed by a whole interval. */
const MAX_LEASE_RETRY_MS = 5_000;
/** Least pause between two attempts. */
const MIN_PAUSE_MS = 20;

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
  private readonly jobs = new Map<string, ScheduledJob>();
  private readonly counts = new Map<
    string,
    { succeeded: number; failed: number; notStarted: number; at: number }
  >();
  private readonly running = new Set<string>();
  private readonly stopping = new AbortController();
  private loops: Promise<void>[] | undefined;
  private stopped: Promise<void> | undefined;

  constructor(
    private readonly leases: JobLeaseStore,
    private readonly log: SchedulerLog,
    /** Whether Nest starts it; without that the jobs are for other instances. */
    private readonly startsWithApplication = true,
  ) {}

  /** Adds a job, which begins when the scheduler has been started. @throws {RangeError} when its name is taken */
  register(job: ScheduledJob): void {
    if (this.jobs.has(job.name)) throw new RangeError(`The scheduled job ${job.name} is registered already.`);
    this.jobs.set(job.name, job);
    this.loops?.push(this.repeat(job));
  }

  /** For metrics: of each job since the start; of none where the jobs are for other instances. */
  runs(): readonly JobRuns[] {
    return [...this.counts].map(([name, { at, ...counts }]) => ({
      ...counts,
      name,
      intervalMs: this.jobs.get(name)?.intervalMs ?? NaN,
      sinceSuccessMs: performance.now() - at,
    }));
  }

  start(): void {
    this.loops ??= [...this.jobs.values()].map((job) => this.repeat(job));
  }

  /** Starts nothing any more, signals running jobs to end, and waits for them for a bounded time. May be called again. */
  stop(): Promise<void> {
    this.stopping.abort(new Error('The instance is stopping.'));
    this.stopped ??= Promise.race([
      Promise.all(this.loops ?? []),
      sleep(STOP_TIMEOUT_MS, undefined, { ref: false }),
    ]).then(() => {
      for (const job of this.running) this.log.warn({ job }, 'scheduled job still running at shutdown');
    });
    return this.stopped;
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

  /** Runs one job in this instance whenever its lease is granted. Never rejects. */
  private async repeat(job: ScheduledJob): Promise<void> {
    const { name, intervalMs, timeoutMs } = job;
    const { signal } = this.stopping;
    const counts = { succeeded: 0, failed: 0, notStarted: 0, at: performance.now() };
    this.counts.set(name, counts);
    const jitterMs = Math.min(intervalMs / 10, MAX_JITTER_MS);
    // An instance that starts has more urgent things to do.
    let pauseMs = Math.min(intervalMs, MAX_JITTER_MS) / 2;
    let isLeaseMissing = false;
    for (;;) {
      await sleep(pauseMs + Math.random() * jitterMs, undefined, { ref: false, signal }).catch(
        () => undefined,
      );
      if (signal.aborted) return;
      try {
        const since = performance.now();
        const { lease, waitMs } = await this.leases.acquire(name, timeoutMs + ABORT_GRACE_MS);
        isLeaseMissing = false;
        pauseMs = lease === null ? Math.max(MIN_PAUSE_MS, Math.min(waitMs, intervalMs)) : intervalMs;
        if (lease !== null) {
          const outcome = await this.run(job, lease, since);
          if (outcome !== undefined) counts[outcome]++;
          if (outcome === 'succeeded') counts.at = performance.now();
        }
      } catch (err) {
        counts.notStarted++;
        if (!isLeaseMissing) this.log.warn({ job: name, err }, 'scheduled job not started, retrying');
        isLeaseMissing = true;
        pauseMs = Math.max(Math.min(intervalMs, MAX_LEASE_RETRY_MS), MAX_JITTER_MS);
      }
    }
  }

  /**
   * Runs a job, signals it when its time is up, and gives the lease back.
   *
   * @param since when the lease was asked for: the database counts from a later moment
   * @returns `undefined` when the end of the instance has cut it short
   */
  private async run(
    job: ScheduledJob,
    lease: string,
    since: number,
  ): Promise<'succeeded' | 'failed' | undefined> {
    const { name, intervalMs } = job;
    const { signal: stopping } = this.stopping;
    const leftMs = Math.max(0, Math.round(since + job.timeoutMs - performance.now()));
    // No AbortSignal.timeout: inside AbortSignal.any, Node.js 20 collects it as garbage, and then it never ends.
    const timeIsUp = new AbortController();
    const timer = setTimeout(() => {
      timeIsUp.abort(new DOMException(`${name} has taken too long.`, 'TimeoutError'));
    }, leftMs);
    const overrun = setTimeout(() => {
      this.log.error({ job: name }, 'scheduled job ignores its timeout, another instance may run it');
    }, leftMs + ABORT_GRACE_MS);
    let outcome: 'succeeded' | 'failed' | undefined = 'succeeded';
    this.running.add(name);
    try {
      await job.run(AbortSignal.any([stopping, timeIsUp.signal]));
    } catch (err) {
      outcome = stopping.aborted ? undefined : 'failed';
      if (outcome === 'failed') this.log.error({ job: name, err }, 'scheduled job failed');
    }
    // What a shutdown has ended is due at once in another instance.
    const nextInMs = outcome === undefined ? 0 : intervalMs;
    this.running.delete(name);
    clearTimeout(timer);
    clearTimeout(overrun);
    await this.leases.release(name, lease, nextInMs).catch((err: unknown) => {
      this.log.warn({ job: name, err }, 'lease of a scheduled job not released, it expires by itself');
    });
    return outcome;
  }
}
