import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from './client.js';

/** One request to add an animal, and what came of it. */
export interface Attempt {
  /** `undefined` when the connection broke. */
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
  readonly ms: number;
}

const PAUSE = 10;

/**
 * Clients that add animals without a rest, each animal under a name and an `Idempotency-Key` of its own. Like
 * every careful client they send the same request again until they are told what became of it.
 */
export class Writers {
  readonly attempts: Attempt[] = [];
  /** The body of every 201, by the name of its animal. */
  readonly acknowledged = new Map<string, string>();
  private readonly done: Promise<unknown>;
  private readonly clients = new Map<string, Client>();
  private working = true;
  private patient = true;

  /**
   * @param prefix what the names begin with
   * @param originOf where to send the next request; may change when a service is replaced
   */
  constructor(
    private readonly prefix: string,
    private readonly originOf: () => string,
    private readonly key: string,
    writers = 8,
  ) {
    this.done = Promise.all(Array.from({ length: writers }, (_, at) => this.write(at)));
  }

  /** Waits until so many more animals have been added. */
  async added(more: number): Promise<void> {
    const goal = this.acknowledged.size + more;
    const until = Date.now() + 20_000;
    while (this.acknowledged.size < goal) {
      if (Date.now() > until) {
        const last = JSON.stringify(this.attempts.slice(-5));
        throw new Error(`Only ${this.acknowledged.size} of ${goal} were added: ${last}`);
      }
      await sleep(PAUSE);
    }
  }

  /** Stops when every animal that was begun has been told about. */
  async finish(): Promise<void> {
    this.working = false;
    await this.done;
    this.giveUp();
  }

  /** Stops at once, whatever is under way. */
  giveUp(): void {
    this.working = this.patient = false;
    for (const client of this.clients.values()) client.close();
  }

  private async write(at: number): Promise<void> {
    for (let n = 0; this.working; n++) await this.addOne(`${this.prefix} ${at}-${n}`);
  }

  private async addOne(name: string): Promise<void> {
    const headers = { 'Idempotency-Key': name.replaceAll(' ', '-') };
    while (this.patient) {
      const since = performance.now();
      const reply = await this.client()
        .post('/v1/pets', { name, categoryId: 1 }, { headers })
        .catch(() => undefined);
      const retryAfter = reply?.headers['retry-after'];
      this.attempts.push({ status: reply?.status, retryAfter, ms: performance.now() - since });
      if (reply?.status === 201) {
        this.acknowledged.set(name, reply.text);
        return;
      }
      await sleep(PAUSE);
    }
  }

  private client(): Client {
    const origin = this.originOf();
    const client = this.clients.get(origin) ?? new Client(origin, this.key);
    this.clients.set(origin, client);
    return client;
  }
}
