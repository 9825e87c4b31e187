import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Reply } from './client.js';

const PAUSE_MS = 10;

/** Clients that add, change and remove animals without a rest, at whichever instance answers. */
export class MixedWriters {
  /** Requests that were told to have succeeded. */
  succeeded = 0;
  /** Animals that were acknowledged and that nobody was asked to remove. */
  readonly kept = new Set<string>();
  /** Animals whose removal was acknowledged. */
  readonly removed = new Set<string>();
  private readonly paths: string[] = [];
  private readonly clients = new Map<string, Client>();
  private readonly done: Promise<unknown>;
  private working = true;

  /** @param origins where to send requests; may change when a service is replaced */
  constructor(
    private readonly origins: () => readonly string[],
    private readonly key: string,
    writers: number,
  ) {
    this.done = Promise.all(Array.from({ length: writers }, (_, at) => this.write(at)));
  }

  /** Waits until so many more requests have succeeded. */
  async wrote(more: number): Promise<void> {
    const goal = this.succeeded + more;
    for (const end = Date.now() + 30_000; this.succeeded < goal;) {
      if (Date.now() > end) throw new Error(`Only ${this.succeeded} of ${goal} requests have succeeded.`);
      await sleep(PAUSE_MS);
    }
  }

  async finish(): Promise<void> {
    this.working = false;
    await this.done;
    for (const client of this.clients.values()) client.close();
  }

  private async write(writer: number): Promise<void> {
    for (let n = 0; this.working; n++) {
      const path = this.paths[Math.floor(Math.random() ** 2 * this.paths.length)];
      if (path === undefined || n % 4 === 0) await this.add(`${writer} ${n}`);
      else if (n % 11 === 5) await this.remove(path);
      else
        await this.ask((client) => client.patch(path, { name: `${writer} ${n}`, categoryId: 1 + (n % 5) }));
    }
  }

  /** Sends the same request until it is told what became of it. */
  private async add(name: string): Promise<void> {
    const headers = { 'Idempotency-Key': randomUUID() };
    const statuses = ['available', 'pending', 'sold'];
    const body = { name, categoryId: 1, status: statuses[name.length % 3] };
    for (let reply: Reply | undefined; reply?.status !== 201;) {
      reply = await this.ask((client) => client.post('/v1/pets', body, { headers }));
      if (reply?.status !== 201 && !this.working) return;
      if (reply?.status === 201) this.added(String(reply.headers.location));
    }
  }

  private added(path: string): void {
    this.paths.push(path);
    this.kept.add(path);
  }

  private async remove(path: string): Promise<void> {
    // What becomes of a request without a response is not known.
    this.kept.delete(path);
    const reply = await this.ask((client) => client.delete(path));
    if (reply?.status === 204) this.removed.add(path);
    if (reply?.status === 204 || reply?.status === 404) this.paths.splice(this.paths.indexOf(path) >>> 0, 1);
  }

  private async ask(send: (client: Client) => Promise<Reply>): Promise<Reply | undefined> {
    const origins = this.origins();
    const origin = origins[Math.floor(Math.random() * origins.length)] ?? '';
    const client = this.clients.get(origin) ?? new Client(origin, this.key);
    this.clients.set(origin, client);
    const reply = await send(client).catch(() => undefined);
    if (reply !== undefined && reply.status < 300) this.succeeded++;
    else await sleep(PAUSE_MS);
    return reply;
  }
}
