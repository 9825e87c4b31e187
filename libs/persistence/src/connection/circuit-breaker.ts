import { setTimeout as sleep } from 'node:timers/promises';
import { isUnreachable } from './connection-failure.js';
import { NoAnswerError } from './no-answer.error.js';

/** Pauses between two probes of a server that is unavailable. */
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 250;

/**
 * Knows whether the server can be reached. After one connection has found it unavailable, the breaker is open: queries are
 * refused at once, while one probe after the other tries to connect. The first probe that succeeds closes it.
 */
export class CircuitBreaker {
  private readonly closing = new AbortController();
  private openedBy: NoAnswerError | undefined;
  private probing: Promise<void> = Promise.resolve();

  /** @param probe resolves when the server takes a connection; has a timeout of its own */
  constructor(private readonly probe: () => Promise<void>) {}

  /** Why queries are refused now; `undefined` while the breaker is closed. */
  get refusal(): NoAnswerError | undefined {
    return this.openedBy;
  }

  /** Resolves when queries are no longer refused. */
  get closed(): Promise<void> {
    return this.probing;
  }

  /** Opens the breaker if the error means that the server cannot be reached; ignores every other error. */
  recordFailure(error: unknown): void {
    if (this.openedBy !== undefined || this.closing.signal.aborted || !isUnreachable(error)) return;
    this.openedBy = new NoAnswerError('The database server is unavailable.', { cause: error });
    this.probing = this.probeUntilBack();
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.probing;
  }

  private async probeUntilBack(): Promise<void> {
    const { signal } = this.closing;
    for (let pause = FIRST_PAUSE_MS; !signal.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const failure: unknown = await this.probe().then(
        () => undefined,
        (error: unknown) => error,
      );
      // A server that refuses the connection with reasons (too many of them, say) is there.
      if (!isUnreachable(failure)) break;
      await sleep(pause, undefined, { ref: false, signal }).catch(() => undefined);
    }
    this.openedBy = undefined;
  }
}
