import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../logging/log.js';
import type { Assignment, IpcReplies, WorkerReady } from './ipc.js';
import { SpareWorkers } from './spare-workers.js';
import type { ProcessExit, WorkerHandle } from './worker-handle.js';
import { WorkerStartError } from './worker-start.error.js';

/** Pauses between attempts to start a worker, doubled each time. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** A worker that does not serve after this time is killed and replaced. */
const START_TIMEOUT_MS = 30_000;

/** Attempts that may fail without an explanation before the program gives up its start. */
const START_ATTEMPTS = 5;

/** A worker that was ordered to stop is killed after this time; the whole stop has ten seconds. */
const STOP_TIMEOUT_MS = 8_000;

/** A fixed number of worker processes; each one that dies is replaced. */
export class WorkerPool {
  /** Workers that serve requests. */
  private readonly serving = new Set<WorkerHandle>();
  /** Workers that exist, including those that start; not the spares. */
  private readonly alive = new Set<WorkerHandle>();
  private readonly spares: SpareWorkers;
  private readonly stopping = new AbortController();

  /**
   * @param onExit called for each worker that has gone, with its process id
   * @param startTimeoutMs after this time a worker that does not serve is killed and replaced
   */
  constructor(
    private readonly assignment: Assignment,
    private readonly count: number,
    private readonly log: Log,
    private readonly onExit: (pid: number) => void,
    private readonly startTimeoutMs: number = START_TIMEOUT_MS,
  ) {
    this.spares = new SpareWorkers(log);
  }

  /**
   * Resolves when all workers serve. The first one starts alone: it migrates the schema and fills a new database,
   * which the others then find done.
   *
   * @throws WorkerStartError with the first message of a worker that cannot start; the caller then stops the others
   */
  async start(): Promise<WorkerReady> {
    const first = await this.startOne(START_ATTEMPTS);
    await Promise.all(Array.from({ length: this.count - 1 }, () => this.startOne(START_ATTEMPTS)));
    if (!this.stopping.signal.aborted) this.spares.enable();
    return first;
  }

  /** Whether every worker serves. */
  get isComplete(): boolean {
    return this.serving.size === this.count;
  }

  /** The replies of the workers that serve, by process id. */
  async request<About extends keyof IpcReplies>(about: About): Promise<Map<number, IpcReplies[About]>> {
    const replies = new Map<number, IpcReplies[About]>();
    await Promise.all(
      [...this.serving].map(async (worker) => {
        const reply = await worker.request(about);
        if (reply !== undefined) replies.set(worker.pid, reply);
      }),
    );
    return replies;
  }

  /** Lets each worker finish its requests; rejects when one did not end in order. */
  async stop(): Promise<void> {
    this.stopping.abort();
    const spares = this.spares.stop();
    const workers = [...this.alive];
    for (const worker of workers) worker.kill('SIGTERM');
    const cut = setTimeout(() => {
      for (const worker of this.alive) worker.kill('SIGKILL');
    }, STOP_TIMEOUT_MS);
    const exits = await Promise.all(workers.map(({ exited }) => exited));
    clearTimeout(cut);
    await spares;
    const bad = exits.filter(({ code, signal }) => code !== 0 && signal !== 'SIGTERM');
    if (bad.length > 0)
      throw new Error(`${bad.length} of ${exits.length} worker processes did not stop in order.`);
  }

  /**
   * Resolves when a new worker serves. One that ends or hangs during its start is replaced.
   *
   * @throws WorkerStartError when a worker reports why it cannot start, or all `attempts` fail
   */
  private async startOne(attempts: number): Promise<WorkerReady> {
    for (let left = attempts, pauseMs = 0; ; pauseMs = longer(pauseMs)) {
      try {
        await sleep(pauseMs, undefined, { signal: this.stopping.signal });
        return await this.attempt();
      } catch (error) {
        this.stopping.signal.throwIfAborted();
        if (--left === 0 || !(error instanceof WorkerStartError) || error.explained) throw error;
        this.logFailure(error, pauseMs);
      }
    }
  }

  private async attempt(): Promise<WorkerReady> {
    const worker = this.spares.take();
    this.alive.add(worker);
    void worker.exited.then(() => this.alive.delete(worker));
    worker.assign(this.assignment);
    const timer = setTimeout(() => {
      worker.kill('SIGKILL');
    }, this.startTimeoutMs);
    const ready = await worker.ready.finally(() => {
      clearTimeout(timer);
    });
    this.serving.add(worker);
    this.log.info({ worker: worker.pid }, 'worker ready');
    void worker.exited.then((exit) => {
      this.serving.delete(worker);
      this.onExit(worker.pid);
      if (!this.stopping.signal.aborted) void this.replace(worker.pid, exit);
    });
    return ready;
  }

  /** Without a pause, however often: what has served can serve again. Failed starts are retried with growing pauses. */
  private async replace(pid: number, exit: ProcessExit): Promise<void> {
    this.log.error({ worker: pid, ...exit }, 'worker died, replacing it');
    this.spares.noteDeath();
    const { signal } = this.stopping;
    for (let pauseMs = 0; ; pauseMs = longer(pauseMs)) {
      try {
        await sleep(pauseMs, undefined, { signal });
        await this.startOne(1);
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.logFailure(error, pauseMs);
      }
    }
  }

  private logFailure(error: unknown, pauseMs: number): void {
    this.log.error({ err: error, nextMs: longer(pauseMs) }, 'worker failed to start, retrying');
  }
}

function longer(pauseMs: number): number {
  return Math.min(Math.max(2 * pauseMs, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
}
