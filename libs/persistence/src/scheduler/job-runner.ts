import { setTimeout as sleep } from 'node:timers/promises';
import type { GrantedLease, JobLeaseStore } from './job-lease.store.js';

/** Regular work that one instance at a time does, whichever instance comes first. */
export interface ScheduledJob {
  /** Names the work in all instances, for ever: lower case, digits, `_` and `:`. */
  readonly name: string;
  /** From the end of a run in any instance to the beginning of the next one in any instance; at least 100. */
  readonly intervalMs: number;
  /** When its signal aborts. It then has {@link ABORT_GRACE_MS} to end before another instance may begin. */
  readonly timeoutMs: number;
  /**
   * Does the work. A rejection is logged, and the pauses before further attempts grow. An instance can die at any
   * point of it, so that it must be safe to repeat.
   *
   * @param signal aborts when the time is up, or the instance stops: the work ends at its next safe point
   */
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

/** Where the scheduler logs; pino's loggers are one. */
export interface SchedulerLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** How long a job may take to end after its signal has aborted. Every statement ends sooner by its own timeout. */
const ABORT_GRACE_MS = 3_000;
/** Largest jitter of an interval, so that instances do not ask at the same moment. */
const MAX_JITTER_MS = 1_000;
/** Longest pause after a lease could not be requested: a due run is not delayed by a whole interval. */
const MAX_LEASE_RETRY_MS = 5_000;
/** Longest pause before a failed job is run again, unless its interval is longer. */
const MAX_BACKOFF_MS = 5 * 60 * 1000;
/** Least pause between two attempts. */
const MIN_PAUSE_MS = 20;

/** Runs one job in this instance whenever its lease is granted. Never rejects. */
export class JobRunner {
  private timer: NodeJS.Timeout | undefined;
  private attempting: Promise<void> | undefined;
  /** Ends the run under way. */
  private current: AbortController | undefined;
  private leasesFail = false;
  private stopped = false;

  constructor(
    private readonly job: ScheduledJob,
    private readonly leases: JobLeaseStore,
    private readonly log: SchedulerLog,
  ) {}

  start(): void {
    const { intervalMs } = this.job;
    // An instance that starts has more urgent things to do.
    this.schedule(Math.min(intervalMs, MAX_JITTER_MS) * (0.5 + Math.random() / 2));
  }

  /** Starts no further run, aborts the current one, and waits for it up to this time. */
  async stop(timeoutMs: number): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    this.current?.abort(new Error('The instance is stopping.'));
    if (this.attempting === undefined) return;
    const ended = new AbortController();
    const late = sleep(timeoutMs, true, { signal: ended.signal }).catch(() => false);
    if (await Promise.race([this.attempting.then(() => false), late])) {
      this.log.warn({ job: this.job.name }, 'scheduled job still running at shutdown');
    }
    ended.abort();
  }

  private schedule(inMs: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.attempting = this.attempt().then((nextInMs) => {
        this.attempting = undefined;
        this.schedule(nextInMs);
      });
    }, inMs);
    this.timer.unref();
  }

  /** @returns milliseconds until the next attempt */
  private async attempt(): Promise<number> {
    const { name, intervalMs, timeoutMs } = this.job;
    const since = performance.now();
    try {
      const result = await this.leases.acquire(name, timeoutMs + ABORT_GRACE_MS);
      this.leasesFail = false;
      if (result.granted) return await this.run(result, since);
      return Math.max(MIN_PAUSE_MS, Math.min(result.waitMs, intervalMs)) + this.jitter();
    } catch (error) {
      if (!this.leasesFail) this.log.warn({ job: name, err: error }, 'scheduled job not started, retrying');
      this.leasesFail = true;
      return Math.max(Math.min(intervalMs, MAX_LEASE_RETRY_MS), MAX_JITTER_MS) + this.jitter();
    }
  }

  /** @returns milliseconds until the next attempt */
  private async run({ lease, failures: before }: GrantedLease, since: number): Promise<number> {
    const { name, intervalMs } = this.job;
    const failed = this.stopped || (await this.fails(since));
    // A run that a shutdown has ended is no failure, and is due at once in another instance.
    const cut = this.stopped && failed;
    const failures = cut ? before : failed ? before + 1 : 0;
    const pauseMs = failed ? backOff(intervalMs, failures) : intervalMs;
    try {
      await this.leases.release(name, lease, cut ? 0 : pauseMs, failures);
    } catch (error) {
      this.log.warn({ job: name, err: error }, 'lease of a scheduled job not released, it expires by itself');
    }
    return pauseMs + this.jitter();
  }

  /**
   * Runs the job, and signals it when its time is up.
   *
   * @param since when the lease was asked for: the database counts from a later moment
   * @returns whether it failed
   */
  private async fails(since: number): Promise<boolean> {
    const { name, timeoutMs, run } = this.job;
    const controller = new AbortController();
    this.current = controller;
    const left = since + timeoutMs - performance.now();
    const timeout = setTimeout(
      () => {
        controller.abort(new Error(`The job ${name} took longer than ${timeoutMs} ms.`));
      },
      Math.max(0, left),
    );
    const overrun = setTimeout(
      () => {
        this.log.error({ job: name }, 'scheduled job ignores its timeout, another instance may run it');
      },
      Math.max(0, left + ABORT_GRACE_MS),
    );
    try {
      await run(controller.signal);
      return false;
    } catch (error) {
      if (!this.stopped) this.log.error({ job: name, err: error }, 'scheduled job failed');
      return true;
    } finally {
      this.current = undefined;
      clearTimeout(timeout);
      clearTimeout(overrun);
    }
  }

  private jitter(): number {
    return Math.random() * Math.min(this.job.intervalMs / 10, MAX_JITTER_MS);
  }
}

function backOff(intervalMs: number, failures: number): number {
  return Math.max(intervalMs, Math.min(intervalMs * 2 ** (failures - 1), MAX_BACKOFF_MS));
}
