import { setImmediate as turn } from 'node:timers/promises';
import { KeyStoreUnavailableError, TooManyUnknownKeysError } from '../key/key-store-unavailable.error.js';

/** So many go on in one turn of the event loop: about a millisecond's work, then others have theirs. */
const AT_ONCE = 16;

/** One client may have this share of those that wait. */
const SHARE = 1 / 8;

/**
 * Lets a bounded number of requests wait for the same event, and lets them go on a few at a time: a thousand
 * results in one turn would hold up all others.
 */
export class PacedQueue {
  private readonly ready: (() => void)[] = [];
  private releasing = false;
  private waiting = 0;
  /** How many wait for each client. */
  private readonly ofClients = new Map<string, number>();
  private readonly mostOfOne: number;

  constructor(private readonly most: number) {
    this.mostOfOne = Math.ceil(most * SHARE);
  }

  /** How many wait. */
  get length(): number {
    return this.waiting;
  }

  /**
   * @param client whose share it counts for; nobody's unless given
   * @throws TooManyUnknownKeysError when too many of the client wait already, KeyStoreUnavailableError when too many do
   *   in all, and whatever `event` rejects with
   */
  async wait(event: () => Promise<void>, client?: string): Promise<void> {
    const ofClient = client === undefined ? 0 : (this.ofClients.get(client) ?? 0);
    if (ofClient >= this.mostOfOne) {
      throw new TooManyUnknownKeysError('Too many keys of one client that are not known yet are waited for.');
    }
    if (this.waiting >= this.most) {
      throw new KeyStoreUnavailableError('Too many keys that are not known yet are waited for.');
    }
    this.waiting++;
    if (client !== undefined) this.ofClients.set(client, ofClient + 1);
    try {
      await event();
    } finally {
      await this.turn();
      this.waiting--;
      if (client !== undefined) this.letGo(client);
    }
  }

  private letGo(client: string): void {
    const left = (this.ofClients.get(client) ?? 0) - 1;
    if (left > 0) this.ofClients.set(client, left);
    else this.ofClients.delete(client);
  }

  private turn(): Promise<void> {
    return new Promise((resume) => {
      this.ready.push(resume);
      if (!this.releasing) void this.release();
    });
  }

  private async release(): Promise<void> {
    this.releasing = true;
    for (;;) {
      for (const resume of this.ready.splice(0, AT_ONCE)) resume();
      await turn();
      if (this.ready.length === 0) break;
    }
    this.releasing = false;
  }
}
