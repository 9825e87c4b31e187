import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Reply } from './client.js';
import { petIn, type ToldPet } from './event-reader.js';

/** What came of one request. */
export interface Attempt {
  /** `undefined` when the connection broke. */
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
  readonly ms: number;
}

interface WritersOptions {
  /** Where to send requests; may change when a service is replaced. */
  readonly origins: () => readonly string[];
  readonly key: string;
  /** What the names of their animals begin with. */
  readonly prefix: string;
  readonly clients?: number;
  /** Whether they also change and remove animals. */
  readonly alsoChange?: boolean;
}

const PAUSE_MS = 10;
const TIMEOUT_MS = 25_000;
const STATUSES = ['available', 'pending', 'sold'];

/**
 * Clients that write without a pause. They add each animal under an `Idempotency-Key` of its own, and repeat the request
 * until a response says what became of it.
 */
export class Writers {
  readonly attempts: Attempt[] = [];
  /** Animals as they were when they were acknowledged, by their path. */
  readonly added = new Map<string, ToldPet>();
  /** Animals whose removal was asked for, and whether it was acknowledged. */
  readonly removed = new Map<string, boolean>();
  private readonly done: Promise<unknown>;
  private readonly clients = new Map<string, Client>();
  private succeeded = 0;
  private state: 'working' | 'finishing' | 'stopped' = 'working';

  constructor(private readonly options: WritersOptions) {
    const writers = Array.from({ length: options.clients ?? 8 }, (_, writer) => this.write(writer));
    this.done = Promise.all(writers);
  }

  /** Waits until so many more requests have succeeded. */
  async wrote(more: number): Promise<void> {
    const goal = this.succeeded + more;
    for (const end = Date.now() + TIMEOUT_MS; this.succeeded < goal;) {
      if (Date.now() > end) {
        const last = JSON.stringify(this.attempts.slice(-5));
        throw new Error(`Only ${this.succeeded} of ${goal} requests have succeeded: ${last}`);
      }
      await sleep(PAUSE_MS);
    }
  }

  /** Stops when every animal that was begun has been acknowledged. */
  async finish(): Promise<void> {
    this.state = 'finishing';
    await this.done;
    this.stop();
  }

  /** Stops at once, whatever is under way. */
  stop(): void {
    this.state = 'stopped';
    for (const client of this.clients.values()) client.close();
  }

  private async write(writer: number): Promise<void> {
    for (let n = 0; this.state === 'working'; n++) {
      const name = `${this.options.prefix} ${writer}-${n}`;
      const path = this.options.alsoChange === true && n % 4 !== 0 ? this.somePath() : undefined;
      if (path === undefined) await this.add(name, STATUSES[n % 3]);
      else if (n % 11 === 5) await this.remove(path);
      else await this.ask((client) => client.patch(path, { name, categoryId: 1 + (n % 5) }));
      // Leaves some of the machine to the programs that start meanwhile.
      await sleep(PAUSE_MS);
    }
  }

  private somePath(): string | undefined {
    const paths = [...this.added.keys()];
    return paths[Math.floor(Math.random() ** 2 * paths.length)];
  }

  private async add(name: string, status: string | undefined): Promise<void> {
    const headers = { 'Idempotency-Key': name.replaceAll(' ', '-') };
    const body = { name, categoryId: 1, status };
    while (this.state !== 'stopped') {
      const reply = await this.ask((client) => client.post('/v1/pets', body, { headers }));
      if (reply?.status !== 201) continue;
      this.added.set(String(reply.headers.location), petIn(reply));
      return;
    }
  }

  private async remove(path: string): Promise<void> {
    this.removed.set(path, this.removed.get(path) ?? false);
    const reply = await this.ask((client) => client.delete(path));
    if (reply?.status === 204) this.removed.set(path, true);
  }

  private async ask(send: (client: Client) => Promise<Reply>): Promise<Reply | undefined> {
    const origins = this.options.origins();
    const origin = origins[Math.floor(Math.random() * origins.length)] ?? '';
    const client = this.clients.get(origin) ?? new Client(origin, this.options.key);
    this.clients.set(origin, client);
    const since = performance.now();
    const reply = await send(client).catch(() => undefined);
    const retryAfter = reply?.headers['retry-after'];
    this.attempts.push({ status: reply?.status, retryAfter, ms: performance.now() - since });
    if (reply !== undefined && reply.status < 300) this.succeeded++;
    else await sleep(PAUSE_MS);
    return reply;
  }
}
