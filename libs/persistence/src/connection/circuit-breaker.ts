import { setTimeout as sleep } from 'node:timers/promises';
import { isUnreachable, NoAnswer } from './connection-failure.js';

/** Pauses between two looks at a server that is away, in milliseconds. */
const FIRST_PAUSE = 25;
const LONGEST_PAUSE = 250;

/**
 * Whether there is a server to ask. Once one connection found none, nobody else waits to find out the same:
 * all are refused at once, while one connection after the other tries whether the server is back.
 */
export class Availability {
  private readonly closing = new AbortController();
  private found: NoAnswer | undefined;
  private looking: Promise<void> = Promise.resolve();

  /** @param probe resolves when the server takes a connection; has a time limit of its own */
  constructor(private readonly probe: () => Promise<void>) {}

  /** Why nothing should be asked now; `undefined` when the server is there as far as is known. */
  get refusal(): NoAnswer | undefined {
    return this.found;
  }

  /** Tells what went wrong with a connection; only what says that nobody is there counts. */
  report(error: unknown): void {
    if (this.found !== undefined || this.closing.signal.aborted || !isUnreachable(error)) return;
    this.found = new NoAnswer('The database server is away.', { cause: error });
    this.looking = this.look();
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.looking;
  }

  private async look(): Promise<void> {
    const { signal } = this.closing;
    for (let pause = FIRST_PAUSE; !signal.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      const failure: unknown = await this.probe().then(
        () => undefined,
        (error: unknown) => error,
      );
      // A server that refuses the connection with reasons (too many of them, say) is there.
      if (!isUnreachable(failure)) break;
      await sleep(pause, undefined, { ref: false, signal }).catch(() => undefined);
    }
    this.found = undefined;
  }
}
