import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Milliseconds from a response to the next request. */
const EVERY = 4;
/** For a response. */
const TIMEOUT_MS = 5_000;

/** What a healthy client met with in a round. */
interface HealthyReport {
  /** How many requests ended in which way: with a status, or with the code of an error. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** 99 % of the responses were there within so many milliseconds. */
  readonly p99Ms: number;
  /** As long did the machine itself keep a timer waiting, at 99 %: what the server cannot help. */
  readonly machineMs: number;
}

/** A client with a valid key that asks for a list all the while, over one connection, in a thread of its own. */
export class HealthyClient {
  private constructor(private readonly thread: Worker) {}

  static async start(origin: string, key: string): Promise<HealthyClient> {
    const thread = new Worker(new URL('./healthy-client.thread.mjs', import.meta.url), {
      workerData: { origin, key, everyMs: EVERY, timeoutMs: TIMEOUT_MS },
    });
    await once(thread, 'message');
    return new HealthyClient(thread);
  }

  begin(): void {
    this.thread.postMessage('begin');
  }

  async end(): Promise<HealthyReport> {
    this.thread.postMessage('end');
    const [{ outcomes, latencies, machineMs }] = (await once(this.thread, 'message')) as [
      Pick<HealthyReport, 'outcomes' | 'machineMs'> & { readonly latencies: number[] },
    ];
    latencies.sort((a, b) => a - b);
    return { outcomes, machineMs, p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? Infinity };
  }

  async stop(): Promise<void> {
    await this.thread.terminate();
  }
}
