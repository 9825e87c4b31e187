import cluster, { type Worker } from 'node:cluster';
import type { Assignment, IpcReplies, ToPrimary, ToWorker, WorkerReady } from './ipc.js';
import { WorkerStartError } from './worker-start.error.js';

/** Longest wait for a worker's reply: above the longest time that its readiness check takes. */
const REPLY_TIMEOUT_MS = 2_000;

/** How a process ended. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** One worker process, as the primary sees it. */
export class WorkerHandle {
  /** Resolves when the worker has loaded the program; never if it ends before. */
  readonly loaded: Promise<void>;
  /** Resolves when the worker serves; rejects with {@link WorkerStartError} when it ends before. */
  readonly ready: Promise<WorkerReady>;
  /** Resolves when the process is gone. */
  readonly exited: Promise<ProcessExit>;
  private readonly waiting = new Map<number, (reply?: IpcReplies[keyof IpcReplies]) => void>();
  private requests = 0;
  private hasLoaded = false;
  private assignment: Assignment | undefined;

  private constructor(private readonly worker: Worker) {
    this.exited = new Promise((resolve) => {
      worker.once('exit', (code: number | null, signal: NodeJS.Signals | null) => {
        resolve({ code, signal });
      });
      // A process that could not be spawned emits only this; for others `exit` or the channel reports the same.
      worker.on('error', () => {
        if (worker.process.pid === undefined) resolve({ code: null, signal: null });
      });
    });
    let markLoaded = (): void => undefined;
    this.loaded = new Promise((resolve) => (markLoaded = resolve));
    this.ready = new Promise((resolve, reject) => {
      worker.on('message', (message: ToPrimary) => {
        if (message.kind === 'loaded') {
          this.hasLoaded = true;
          markLoaded();
          this.sendAssignment();
        } else if (message.kind === 'ready') resolve(message.ready);
        else if (message.kind === 'failed') reject(new WorkerStartError(message.message, true));
        else this.waiting.get(message.id)?.(message.reply);
      });
      void this.exited.then(({ code, signal }) => {
        const how = signal ?? `code ${String(code)}`;
        reject(new WorkerStartError(`A worker process ended before it was ready (${how}).`, false));
        for (const settle of this.waiting.values()) settle();
      });
    });
    // Not every caller waits for it.
    this.ready.catch(() => undefined);
  }

  /** Starts a process, which loads the program and waits for its assignment. */
  static fork(): WorkerHandle {
    return new WorkerHandle(cluster.fork());
  }

  get pid(): number {
    return this.worker.process.pid ?? 0;
  }

  /** Whether the program is loaded, which takes longer than the rest of a start. */
  get isLoaded(): boolean {
    return this.hasLoaded;
  }

  /** Lets the worker serve, as soon as it has loaded the program. */
  assign(assignment: Assignment): void {
    this.assignment = assignment;
    if (this.hasLoaded) this.sendAssignment();
  }

  /** The worker's reply; `undefined` when it ends or sends none within {@link REPLY_TIMEOUT_MS}. */
  request<About extends keyof IpcReplies>(about: About): Promise<IpcReplies[About] | undefined> {
    return new Promise((resolve) => {
      const id = this.requests++;
      const settle = (reply?: IpcReplies[keyof IpcReplies]): void => {
        clearTimeout(timer);
        this.waiting.delete(id);
        resolve(reply as IpcReplies[About] | undefined);
      };
      const timer = setTimeout(settle, REPLY_TIMEOUT_MS);
      this.waiting.set(id, settle);
      if (this.worker.isConnected()) this.send({ kind: 'request', id, about });
      else settle(undefined);
    });
  }

  kill(signal: NodeJS.Signals): void {
    this.worker.process.kill(signal);
  }

  private sendAssignment(): void {
    if (this.assignment !== undefined) this.send({ kind: 'assignment', assignment: this.assignment });
  }

  private send(message: ToWorker): void {
    // A worker that has just exited takes no message; its exit settles what is waiting.
    if (this.worker.isConnected()) this.worker.send(message, () => undefined);
  }
}
