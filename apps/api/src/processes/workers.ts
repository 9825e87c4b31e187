import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.js';
import type { Answers, Serving, Task } from './messages.js';
import { type End, WorkerProcess } from './worker-process.js';

/** Pauses before a worker is started anew, in milliseconds: none after a long life, else doubled each time. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;

/** After so many milliseconds a worker that was told to stop is killed; ten seconds are for all of the stop. */
const STOP_PATIENCE = 8_000;

/** So many worker processes, each replaced by another one when it dies. */
export class Workers {
  /** Those that take requests. */
  private readonly serving = new Set<WorkerProcess>();
  /** Those that exist, the starting ones included. */
  private readonly alive = new Set<WorkerProcess>();
  private readonly stopping = new AbortController();

  /** @param onEnd told of each worker that has gone, by its process id */
  constructor(
    private readonly task: Task,
    private readonly count: number,
    private readonly log: Log,
    private readonly onEnd: (pid: number) => void,
  ) {}

  /**
   * Resolves when all of them serve. The first one goes ahead: it brings the schema up to date and furnishes a
   * new database, which the others then find done.
   *
   * @throws WorkerFailed with the first message of a worker that cannot start; the others are to be stopped then
   */
  async start(): Promise<Serving> {
    const first = await this.startOne();
    await Promise.all(Array.from({ length: this.count - 1 }, () => this.startOne()));
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

  private async startOne(): Promise<Serving> {
    this.stopping.signal.throwIfAborted();
    const worker = WorkerProcess.fork(this.task);
    this.alive.add(worker);
    void worker.ended.then(() => this.alive.delete(worker));
    const serving = await worker.serving;
    const since = performance.now();
    this.serving.add(worker);
    this.log.info({ worker: worker.pid }, 'a worker process serves');
    void worker.ended.then((end) => {
      this.serving.delete(worker);
      this.onEnd(worker.pid);
      if (!this.stopping.signal.aborted) void this.replace(worker.pid, end, performance.now() - since);
    });
    return serving;
  }

  private async replace(pid: number, end: End, lived: number): Promise<void> {
    this.log.error({ worker: pid, ...end }, 'a worker process has ended: another one takes its place');
    const { signal } = this.stopping;
    for (let pause = lived > LONGEST_PAUSE ? 0 : FIRST_PAUSE; ; pause = longer(pause)) {
      try {
        await sleep(pause, undefined, { signal });
        await this.startOne();
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.log.error(
          { err: error, nextMs: longer(pause) },
          'a worker process does not start: it is tried again',
        );
      }
    }
  }
}

function longer(pause: number): number {
  return Math.min(Math.max(2 * pause, FIRST_PAUSE), LONGEST_PAUSE);
}
