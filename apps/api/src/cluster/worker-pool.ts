import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../logging/log.js';
import type { Answers, Serving, Task } from './ipc.js';
import { type End, WorkerFailed, WorkerProcess } from './worker-handle.js';

/** Pauses before another attempt to start a worker that did not come to serve, in milliseconds: doubled each time. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;

/** A worker that does not serve after so many milliseconds is killed, and replaced. */
const START_TIMEOUT = 30_000;

/** So many attempts may fail without a word before the program gives up its start. */
const START_ATTEMPTS = 5;

/** After so many milliseconds a worker that was told to stop is killed; ten seconds are for all of the stop. */
const STOP_PATIENCE = 8_000;

/** So many worker processes, each replaced by another one when it dies. */
export class Workers {
  /** Those that take requests. */
  private readonly serving = new Set<WorkerProcess>();
  /** Those that exist, the starting ones included. */
  private readonly alive = new Set<WorkerProcess>();
  /**
   * One that has loaded the program, which takes longer than all the rest of a start, and waits to take the place of
   * one that dies. It has no connections, and listens on no port.
   */
  private spare: WorkerProcess | undefined;
  /** Whether all of them have served. */
  private hasStarted = false;
  private readonly stopping = new AbortController();

  /**
   * @param onEnd told of each worker that has gone, by its process id
   * @param startTimeout milliseconds after which a worker that does not serve is killed, and replaced
   */
  constructor(
    private readonly task: Task,
    private readonly count: number,
    private readonly log: Log,
    private readonly onEnd: (pid: number) => void,
    private readonly startTimeout: number = START_TIMEOUT,
  ) {}

  /**
   * Resolves when all of them serve. The first one goes ahead: it brings the schema up to date and furnishes a
   * new database, which the others then find done.
   *
   * @throws WorkerFailed with the first message of a worker that cannot start; the others are to be stopped then
   */
  async start(): Promise<Serving> {
    const first = await this.startOne(START_ATTEMPTS);
    await Promise.all(Array.from({ length: this.count - 1 }, () => this.startOne(START_ATTEMPTS)));
    this.hasStarted = true;
    this.keepSpare();
    return first;
  }

  /** Whether each of them is there. */
  get areComplete(): boolean {
    return this.serving.size === this.count;
  }

  /** The answers of those that serve, by process id. */
  async ask<About extends keyof Answers>(about: About): Promise<Map<number, Answers[About]>> {
    const answers = new Map<number, Answers[About]>();
    await Promise.all(
      [...this.serving].map(async (worker) => {
        const answer = await worker.ask(about);
        if (answer !== undefined) answers.set(worker.pid, answer);
      }),
    );
    return answers;
  }

  /** Lets each finish its requests; rejects when one did not end well by itself. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.spare?.kill('SIGKILL');
    const workers = [...this.alive];
    for (const worker of workers) worker.kill('SIGTERM');
    const cut = setTimeout(() => {
      for (const worker of this.alive) worker.kill('SIGKILL');
    }, STOP_PATIENCE);
    const ends = await Promise.all(workers.map(({ ended }) => ended));
    clearTimeout(cut);
    const bad = ends.filter(({ code, signal }) => code !== 0 && signal !== 'SIGTERM');
    if (bad.length > 0)
      throw new Error(`${bad.length} of ${ends.length} worker processes did not stop in order.`);
  }

  /**
   * Resolves when a new worker serves. One that ends or hangs on the way is replaced.
   *
   * @throws WorkerFailed when a worker says why it cannot start, or none comes to serve in `attempts`
   */
  private async startOne(attempts: number): Promise<Serving> {
    for (let left = attempts, pause = 0; ; pause = longer(pause)) {
      try {
        await sleep(pause, undefined, { signal: this.stopping.signal });
        return await this.attempt();
      } catch (error) {
        this.stopping.signal.throwIfAborted();
        if (--left === 0 || !(error instanceof WorkerFailed) || error.explained) throw error;
        this.complain(error, pause);
      }
    }
  }

  private async attempt(): Promise<Serving> {
    this.stopping.signal.throwIfAborted();
    const worker = this.spare ?? WorkerProcess.fork();
    this.spare = undefined;
    this.alive.add(worker);
    void worker.ended.then(() => this.alive.delete(worker));
    worker.begin(this.task);
    // At once: another one may die before this one serves.
    if (this.hasStarted) this.keepSpare();
    const late = setTimeout(() => {
      worker.kill('SIGKILL');
    }, this.startTimeout);
    const serving = await worker.serving.finally(() => {
      clearTimeout(late);
    });
    this.serving.add(worker);
    this.log.info({ worker: worker.pid }, 'a worker process serves');
    void worker.ended.then((end) => {
      this.serving.delete(worker);
      this.onEnd(worker.pid);
      if (!this.stopping.signal.aborted) void this.replace(worker.pid, end);
    });
    return serving;
  }

  /** At once, however often: who has served can serve again. Who does not start is tried again, more and more rarely. */
  private async replace(pid: number, end: End): Promise<void> {
    this.log.error({ worker: pid, ...end }, 'a worker process has ended: another one takes its place');
    const { signal } = this.stopping;
    for (let pause = 0; ; pause = longer(pause)) {
      try {
        await sleep(pause, undefined, { signal });
        await this.startOne(1);
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.complain(error, pause);
      }
    }
  }

  private keepSpare(): void {
    if (this.spare !== undefined || this.stopping.signal.aborted) return;
    let spare: WorkerProcess;
    try {
      spare = WorkerProcess.fork();
    } catch (error) {
      // No memory for another process, say; those that serve are not to suffer from it.
      this.complain(error, LONGEST_PAUSE);
      this.keepSpareLater();
      return;
    }
    this.spare = spare;
    void spare.ended.then(() => {
      if (this.spare !== spare) return;
      this.spare = undefined;
      this.keepSpareLater();
    });
  }

  private keepSpareLater(): void {
    setTimeout(() => {
      this.keepSpare();
    }, LONGEST_PAUSE).unref();
  }

  private complain(error: unknown, pause: number): void {
    const nextMs = longer(pause);
    this.log.error({ err: error, nextMs }, 'a worker process does not start: it is tried again');
  }
}

function longer(pause: number): number {
  return Math.min(Math.max(2 * pause, FIRST_PAUSE), LONGEST_PAUSE);
}
