import { setTimeout as sleep } from 'node:timers/promises';
import { isUnreachable } from './connection-failure.js';
import { NoAnswerError, SilentServerError } from './no-answer.error.js';

/** Pauses between two probes of a server that is unavailable, or gives no further connection. */
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 250;

/** Probes of the server; each has a time limit. */
export interface ServerProbes {
  readonly isConnected: () => boolean;
  /** Resolves when the server responds on an open connection; rejects when it does not, or none is open. */
  readonly ping: () => Promise<unknown>;
  /** Resolves when the server takes a further connection. */
  readonly connect: () => Promise<unknown>;
}

/**
 * Opens when the server is silent on an open connection, and on all others meanwhile, or when none is open and none can
 * be made: queries are then refused at once. A further connection that cannot be made shows nothing about open ones:
 * the breaker is then limited, and queries on open connections continue. Both states end when a further connection can
 * be made; an open breaker also closes when the server responds on an open connection.
 */
export class CircuitBreaker {
  private readonly closing = new AbortController();
  private openedBy: NoAnswerError | undefined;
  private probing: Promise<void> | undefined;
  /** On `performance.now()`. */
  private respondedAt = -Infinity;

  constructor(private readonly probes: ServerProbes) {}

  /** Why queries are refused now; `undefined` while the breaker is not open. */
  get refusal(): NoAnswerError | undefined {
    return this.openedBy;
  }

  /** Whether no further connection can be made, while open ones serve. */
  get isLimited(): boolean {
    return this.probing !== undefined && this.openedBy === undefined;
  }

  /** @param moment on `performance.now()` */
  hasRespondedSince(moment: number): boolean {
    return this.respondedAt >= moment;
  }

  /** Resolves when a further connection can be made. */
  get closed(): Promise<void> {
    return this.probing ?? Promise.resolve();
  }

  /** What `work` returns; rejects at once while the breaker is open, and records a failure. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.openedBy !== undefined) throw this.openedBy;
    try {
      return await work();
    } catch (error) {
      this.recordFailure(error);
      throw error;
    }
  }

  /** Called for every response on a connection. */
  recordResponse(): void {
    this.respondedAt = performance.now();
  }

  /** Ignores an error that does not mean that the server cannot be reached. */
  recordFailure(error: unknown): void {
    if (this.closing.signal.aborted || !isUnreachable(error)) return;
    if (error instanceof SilentServerError) {
      // A connection of several that has been lost on the way.
      if (this.hasRespondedSince(error.since)) return;
      this.open(error);
    } else if (!this.probes.isConnected()) this.open(error);
    this.probing ??= this.probeUntilBack().finally(() => {
      this.probing = undefined;
    });
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.probing;
  }

  private open(cause: unknown): void {
    this.openedBy ??= new NoAnswerError('The database server is unavailable.', { cause });
  }

  private async probeUntilBack(): Promise<void> {
    const { signal } = this.closing;
    for (let pause = FIRST_PAUSE_MS; !signal.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const silence = await failureOf(this.probes.ping());
      if (silence === undefined) this.openedBy = undefined;
      else this.open(silence);
      if (!isUnreachable(await failureOf(this.probes.connect()))) break;
      await sleep(pause, undefined, { ref: false, signal }).catch(() => undefined);
    }
    this.openedBy = undefined;
  }
}

function failureOf(probe: Promise<unknown>): Promise<unknown> {
  return probe.then(
    () => undefined,
    (error: unknown) => error,
  );
}
