import cluster, { type Worker } from 'node:cluster';
import { on, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../logging/log.js';
import type { Assignment, IpcReplies, ToPrimary, ToWorker, WorkerReady } from './ipc.js';

/** How long a pool waits for its workers, and before it starts others. */
export interface WorkerTimes {
  /** A worker without a message for so many seconds hangs and is killed; it sends a heartbeat every second. */
  readonly hungAfterS: number;
  /** Pause before a worker is started in place of one that died. */
  readonly restartPauseMs: number;
  /** Pause after a worker that failed to start. */
  readonly failedStartPauseMs: number;
}

const WORKER_TIMES: WorkerTimes = { hungAfterS: 30, restartPauseMs: 500, failedStartPauseMs: 5_000 };

/** Above the longest time of a readiness check. */
const REPLY_TIMEOUT_MS = 2_000;

/** A stopping worker is killed after this time; the whole stop has 9.5 s. */
const STOP_TIMEOUT_MS = 8_000;

/** A worker process failed to start. The message is for the person who started the program. */
export class WorkerStartError extends Error {
  override readonly name = 'WorkerStartError';
}

/** A fixed number of worker processes behind one port; each one that dies or hangs is replaced. */
export class WorkerPool {
  /** Workers that start or serve, with the seconds since their last message. */
  private readonly silentFor = new Map<Worker, number>();
  private readonly serving = new Set<Worker>();
  private readonly stopping = new AbortController();
  private requests = 0;

  constructor(
    private readonly assignment: Assignment,
    private readonly count: number,
    private readonly log: Log,
    private readonly times = WORKER_TIMES,
  ) {}

  /**
   * Resolves when all workers serve. The first one starts alone: it migrates the schema and fills a new database,
   * which the others then find done.
   *
   * @throws WorkerStartError when one of them fails to start; the caller then stops the others
   */
  async start(): Promise<WorkerReady> {
    setInterval(() => {
      this.killHung();
    }, 1_000).unref();
    const first = await this.startOne();
    await Promise.all(Array.from({ length: this.count - 1 }, () => this.startOne()));
    return first;
  }

  /** Whether as many workers serve as there should be. */
  get isComplete(): boolean {
    return this.serving.size >= this.count;
  }

  /** The replies of the workers that serve; one that sends none within two seconds is left out. */
  async request<About extends keyof IpcReplies>(about: About): Promise<IpcReplies[About][]> {
    const id = this.requests++;
    const replies = await Promise.all([...this.serving].map((worker) => replyOf(worker, id, about)));
    return replies.filter((reply) => reply !== undefined);
  }

  /**
   * Replaces the workers one by one: a new one serves before an old one finishes its requests and stops. When a new one
   * cannot start, the remaining old ones stay.
   */
  async replaceAll(): Promise<void> {
    for (const old of [...this.serving]) {
      try {
        await this.startOne();
      } catch (error) {
        if (!this.stopping.signal.aborted)
          this.log.error({ err: error }, 'worker failed to start, old ones stay');
        return;
      }
      this.remove(old);
      await stop(old);
    }
  }

  /**
   * Lets each worker finish its requests.
   * @throws Error when one did not end in order
   */
  async stop(): Promise<void> {
    this.stopping.abort();
    const all = Object.values(cluster.workers ?? {});
    const workers = all.flatMap((worker) => (worker === undefined || worker.isDead() ? [] : [worker]));
    const inOrder = await Promise.all(workers.map(stop));
    const bad = inOrder.filter((ended) => !ended).length;
    if (bad > 0) throw new Error(`${bad} of ${workers.length} worker processes did not stop in order.`);
  }

  /** @throws WorkerStartError when the worker ends before it serves */
  private startOne(): Promise<WorkerReady> {
    this.stopping.signal.throwIfAborted();
    const worker = cluster.fork();
    this.silentFor.set(worker, 0);
    return new Promise((resolve, reject) => {
      worker.on('message', (message: ToPrimary) => {
        if (this.silentFor.has(worker)) this.silentFor.set(worker, 0);
        if (message.kind === 'loaded') send(worker, { kind: 'assignment', assignment: this.assignment });
        else if (message.kind === 'failed') reject(new WorkerStartError(message.message));
        else if (message.kind === 'ready') {
          this.serving.add(worker);
          this.log.info({ worker: worker.process.pid }, 'worker ready');
          resolve(message.ready);
        }
      });
      worker.once('exit', (code: number | null, signal: NodeJS.Signals | null) => {
        const died = this.serving.has(worker);
        this.remove(worker);
        reject(
          new WorkerStartError(`A worker process ended before it was ready (${signal ?? `code ${code}`}).`),
        );
        if (!died || this.stopping.signal.aborted) return;
        this.log.error({ worker: worker.process.pid, code, signal }, 'worker died, replacing it');
        void this.replace();
      });
      // A process that could not be spawned, for lack of memory for example, emits only this.
      worker.on('error', (error) => {
        if (worker.process.pid !== undefined) return;
        this.remove(worker);
        reject(error);
      });
    });
  }

  /** Starts a worker after a pause, and again until it serves. */
  private async replace(): Promise<void> {
    const { signal } = this.stopping;
    const { restartPauseMs, failedStartPauseMs } = this.times;
    for (let pauseMs = restartPauseMs; ; pauseMs = failedStartPauseMs) {
      try {
        await sleep(pauseMs, undefined, { signal });
        if (this.silentFor.size < this.count) await this.startOne();
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.log.error({ err: error, nextMs: failedStartPauseMs }, 'worker failed to start, retrying');
      }
    }
  }

  /** Counts seconds in which this process ran, so that no worker is killed because all of them were suspended. */
  private killHung(): void {
    for (const [worker, seconds] of this.silentFor) {
      this.silentFor.set(worker, seconds + 1);
      if (seconds < this.times.hungAfterS) continue;
      this.log.error({ worker: worker.process.pid }, 'worker hangs, killing it');
      worker.process.kill('SIGKILL');
    }
  }

  private remove(worker: Worker): void {
    this.serving.delete(worker);
    this.silentFor.delete(worker);
  }
}

/** @returns `undefined` without a reply in time */
async function replyOf<About extends keyof IpcReplies>(
  worker: Worker,
  id: number,
  about: About,
): Promise<IpcReplies[About] | undefined> {
  const timeout = new AbortController();
  // Timers are called before messages are read, and immediates after that: a reply that was in time while this process did
  // not run is there.
  const timer = setTimeout(() => {
    setImmediate(() => {
      timeout.abort();
    });
  }, REPLY_TIMEOUT_MS);
  const messages = on(worker, 'message', { signal: timeout.signal, close: ['exit'] });
  send(worker, { kind: 'request', id, about });
  try {
    for await (const [message] of messages as AsyncIterable<[ToPrimary]>)
      if (message.kind === 'reply' && message.id === id) return message.reply as IpcReplies[About];
  } catch {
    // Too late, or the channel to the worker is broken.
  } finally {
    clearTimeout(timer);
  }
  return undefined;
}

/** @returns whether the process ended in order */
async function stop(worker: Worker): Promise<boolean> {
  const exited = once(worker, 'exit') as Promise<[code: number | null, signal: NodeJS.Signals | null]>;
  const cut = setTimeout(() => worker.process.kill('SIGKILL'), STOP_TIMEOUT_MS);
  worker.process.kill('SIGTERM');
  const [code, signal] = await exited;
  clearTimeout(cut);
  // One that has loaded nothing yet has no handler for the signal.
  return code === 0 || signal === 'SIGTERM';
}

/** One that has just exited takes no message. */
function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}
