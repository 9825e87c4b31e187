import { setImmediate as turn } from 'node:timers/promises';
import { KeyStoreUnavailable } from './key-store-unavailable.js';

/** So many go on in one turn of the event loop: about a millisecond's work, then others have theirs. */
const AT_ONCE = 16;

/**
 * Lets a bounded number of requests wait for the same event, and lets them go on a few at a time: a thousand
 * answers in one turn would hold up everybody else.
 */
export class PacedQueue {
  private readonly ready: (() => void)[] = [];
  private releasing = false;
  private waiting = 0;

  constructor(private readonly most: number) {}

  /** How many wait. */
  get length(): number {
    return this.waiting;
  }

  /** @throws KeyStoreUnavailable when too many wait already, and whatever `event` rejects with */
  async wait(event: () => Promise<void>): Promise<void> {
    if (this.waiting >= this.most) {
      throw new KeyStoreUnavailable('Too many keys that are not known yet are waited for.');
    }
    this.waiting++;
    try {
      await event();
    } finally {
      await this.turn();
      this.waiting--;
    }
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
