import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answers, FromWorker, Serving, Task, ToWorker } from './ipc.js';

/** Longest that an answer of a worker is waited for, in milliseconds: above the patience of its readiness. */
const PATIENCE = 2_000;

/** How a process ended. */
export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A worker did not come to serve. Its message is for the person who started the program. */
export class WorkerFailed extends Error {
  override readonly name = 'WorkerFailed';

  constructor(
    message: string,
    /** Whether the worker said so itself: the next one would say the same. */
    readonly explained: boolean,
  ) {
    super(message);
  }
}

/** One worker process, as the primary sees it. */
export class WorkerProcess {
  /** Resolves when it serves; rejects with {@link WorkerFailed} when it ends before. */
  readonly serving: Promise<Serving>;
  /** Resolves when the process is gone. */
  readonly ended: Promise<End>;
  private readonly waiting = new Map<number, (answer: Answers[keyof Answers]) => void>();
  private questions = 0;

  /** Whether it has loaded the program, and would get its task. */
  private listens = false;
  private task: Task | undefined;

  private constructor(private readonly worker: Worker) {
    this.ended = new Promise((resolve) => {
      worker.once('exit', (code: number | null, signal: NodeJS.Signals | null) => {
        resolve({ code, signal });
      });
      // One that could not be spawned emits this alone; of others it tells what `exit` or the channel tells, too.
      worker.on('error', () => {
        if (worker.process.pid === undefined) resolve({ code: null, signal: null });
      });
    });
    this.serving = new Promise((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'listening') {
          this.listens = true;
          this.sendTask();
        } else if (message.kind === 'serving') resolve(message.serving);
        else if (message.kind === 'failed') reject(new WorkerFailed(message.message, true));
        else this.waiting.get(message.id)?.(message.answer);
      });
      void this.ended.then(({ code, signal }) => {
        reject(
          new WorkerFailed(
            `A worker process ended before it served (${signal ?? `code ${String(code)}`}).`,
            false,
          ),
        );
      });
    });
    // Whether it is waited for is the caller's affair.
    this.serving.catch(() => undefined);
  }

  /** Loads the program, and waits for its task. */
  static fork(): WorkerProcess {
    return new WorkerProcess(cluster.fork());
  }

  /** It is to serve, as soon as it can. */
  begin(task: Task): void {
    this.task = task;
    if (this.listens) this.sendTask();
  }

  get pid(): number {
    return this.worker.process.pid ?? 0;
  }

  /** Its answer; `undefined` when it ends or keeps silent. */
  async ask<About extends keyof Answers>(about: About): Promise<Answers[About] | undefined> {
    const id = this.questions++;
    const given = new AbortController();
    const answer = new Promise<Answers[keyof Answers]>((resolve) => this.waiting.set(id, resolve));
    this.send({ kind: 'question', id, about });
    const late = sleep(PATIENCE, undefined, { signal: given.signal }).catch(() => undefined);
    try {
      return (await Promise.race([answer, this.ended.then(() => undefined), late])) as
        Answers[About] | undefined;
    } finally {
      given.abort();
      this.waiting.delete(id);
    }
  }

  kill(signal: NodeJS.Signals): void {
    this.worker.process.kill(signal);
  }

  private sendTask(): void {
    if (this.task !== undefined) this.send({ kind: 'task', task: this.task });
  }

  private send(message: ToWorker): void {
    // A worker that has just gone takes no message; its end says so.
    if (this.worker.isConnected()) this.worker.send(message, () => undefined);
  }
}
