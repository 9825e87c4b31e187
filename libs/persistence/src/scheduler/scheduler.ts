import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';

/** Regular work that one instance at a time does, whichever instance comes first. */
export interface ScheduledJob {
  /** Names the work in all instances, for ever. */
  readonly name: string;
  /** From the beginning of a run in any instance to that of the next one in any instance. */
  readonly intervalMs: number;
  /**
   * Does the work. A rejection is logged. An instance can die at any point of it, so that it must be safe to repeat.
   *
   * @param signal aborts when half of the interval is over, or the instance stops: the work ends at its next safe point, before
   *   the other half is over
   */
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

/** How the runs of a job in this instance have ended. */
export interface JobRuns {
  readonly name: string;
  readonly intervalMs: number;
  /** Done in time. */
  readonly succeeded: number;
  /** Rejected; a run that the end of the instance has cut short is neither. */
  readonly failed: number;
  /** The database could not be asked whose turn it is. */
  readonly notStarted: number;
  /** Milliseconds since the last success, or since the instance began to ask if there was none. */
  readonly sinceSuccessMs: number;
}

/** Where the scheduler logs; pino's loggers are one. */
export interface SchedulerLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** How long a shutdown waits for the jobs that run. */
const STOP_TIMEOUT_MS = 3_000;
/** Largest jitter of an interval, so that instances do not ask at the same moment. */
const MAX_JITTER_MS = 1_000;
/** Longest pause after the database could not be asked: a due run is not delayed by a whole interval. */
const MAX_RETRY_MS = 5_000;
/** Least pause between two attempts. */
const MIN_PAUSE_MS = 20;

/**
 * Takes the turn of the job $1 if it is due: then it is due again after $2 milliseconds, by the clock of the database. It is due at
 * once when it is seen for the first time. Of two concurrent callers the second waits for the first one's commit, and then finds
 * that it is not due.
 */
const TAKE_TURN = `
  with taken as (
    insert into scheduled_jobs as job (name, next_run_at) values ($1, now() + $2::float8 * interval '1 millisecond')
    on conflict (name) do update set next_run_at = excluded.next_run_at where job.next_run_at <= now()
    returning next_run_at
  )
  select exists (select from taken) as "isTaken", (
    select extract(epoch from max(next_run_at) - now()) * 1000
    from (select next_run_at from scheduled_jobs where name = $1 union all select next_run_at from taken) job
  )::float8 as "waitMs"`;

/** Whether this instance is to run the job, and for how long nobody else will. */
type Turn = Readonly<{ isTaken: boolean; waitMs: number }>;

/**
 * Regular work of a service of which there are several instances: for each run of a job one instance takes the turn, and no
 * two run it at once.
 *
 * A turn lasts for the interval of the job. So an instance that dies is replaced when the job is due again; one that is suspended
 * for longer (SIGSTOP, a blocked event loop) may find that another has taken over. Jobs are therefore safe to repeat, and keep
 * their changes in transactions.
 *
 * The turns are rows of the table `scheduled_jobs`. Unlike a lock, one needs no connection while the job runs, and survives the end of
 * a session. A job costs one statement per interval and instance.
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
    private readonly manager: EntityManager,
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

  /** Runs one job in this instance whenever it is its turn. Never rejects. */
  private async repeat(job: ScheduledJob): Promise<void> {
    const { name, intervalMs } = job;
    const { signal } = this.stopping;
    const counts = { succeeded: 0, failed: 0, notStarted: 0, at: performance.now() };
    this.counts.set(name, counts);
    const jitterMs = Math.min(intervalMs / 10, MAX_JITTER_MS);
    // An instance that starts has more urgent things to do.
    let dueAt = performance.now() + Math.min(intervalMs, MAX_JITTER_MS) / 2;
    let isFailing = false;
    for (;;) {
      const pauseMs = Math.max(MIN_PAUSE_MS, dueAt - performance.now()) + Math.random() * jitterMs;
      await sleep(pauseMs, undefined, { ref: false, signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        const [{ isTaken, waitMs }] = await this.manager.query<[Turn]>(TAKE_TURN, [name, intervalMs]);
        isFailing = false;
        dueAt = performance.now() + waitMs;
        const outcome = isTaken ? await this.run(job) : undefined;
        if (outcome !== undefined) counts[outcome]++;
        if (outcome === 'succeeded') counts.at = performance.now();
      } catch (err) {
        counts.notStarted++;
        if (!isFailing) this.log.warn({ job: name, err }, 'scheduled job not started, retrying');
        isFailing = true;
        dueAt = performance.now() + Math.max(Math.min(intervalMs, MAX_RETRY_MS), MAX_JITTER_MS);
      }
    }
  }

  /**
   * Runs a job, and signals it when its time is up.
   *
   * @returns `undefined` when the end of the instance has cut it short
   */
  private async run(job: ScheduledJob): Promise<'succeeded' | 'failed' | undefined> {
    const { name, intervalMs } = job;
    const { signal: stopping } = this.stopping;
    // No AbortSignal.timeout: inside AbortSignal.any, Node.js 20 collects it as garbage, and then it never ends.
    const timeIsUp = new AbortController();
    const timer = setTimeout(() => {
      timeIsUp.abort(new DOMException(`${name} has taken too long.`, 'TimeoutError'));
    }, intervalMs / 2);
    const overrun = setTimeout(() => {
      this.log.error({ job: name }, 'scheduled job ignores its timeout, another instance may run it');
    }, intervalMs);
    this.running.add(name);
    try {
      await job.run(AbortSignal.any([stopping, timeIsUp.signal]));
      return 'succeeded';
    } catch (err) {
      if (stopping.aborted) return undefined;
      this.log.error({ job: name, err }, 'scheduled job failed');
      return 'failed';
    } finally {
      this.running.delete(name);
      clearTimeout(timer);
      clearTimeout(overrun);
    }
  }
}
