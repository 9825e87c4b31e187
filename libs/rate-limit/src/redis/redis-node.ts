import type { RateLimitObserver } from '../decision/rate-limit-observer.js';
import { afterRunning } from './running-time.js';

/** How long to wait for a Redis server, and how often to ask whether it is back. */
export interface RedisTimeouts {
  /**
   * A decision that has no response after so many milliseconds is made in the process. Time in which this process itself
   * does not run does not count.
   */
  readonly responseTimeoutMs: number;
  /** Milliseconds between two probes of a server that is unavailable. */
  readonly probeDelayMs: number;
}

export const DEFAULT_REDIS_TIMEOUTS: RedisTimeouts = { responseTimeoutMs: 250, probeDelayMs: 200 };

/** What a server says to a user, a password, a database or a name of a key that it does not accept. */
const REFUSED = /^(?:NOPERM|NOAUTH|WRONGPASS|ERR|MOVED|CROSSSLOT) /;
/** After so many calls without a response, one after the other, the connection is replaced: it may lead nowhere. */
const MAX_UNANSWERED = 4;

/** What a {@link RedisNode} needs from what it belongs to. */
export interface RedisNodeLink {
  readonly options: { readonly timeouts: RedisTimeouts; readonly observer: RateLimitObserver };
  /** Runs the script on a key of the node that is for just that; resolves at once when it has none any more. */
  probe(name: string): Promise<unknown>;
  /** What an error says, for a log line. */
  reasonOf(error: Error): string;
  /** Is called when a node is used again. */
  onRecovered(): void;
  /** Replaces the connection to the node. */
  reconnect(name: string): void;
}

/**
 * A circuit breaker: one Redis server, which is used until it fails or does not respond in time, and again once a probe
 * has succeeded in time.
 */
export class RedisNode {
  private awaySince: number | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;
  /** Ends the wait of each call that has no response yet. */
  private readonly waiting = new Set<() => void>();
  /** Calls that had no response in time, since the last response. */
  private unanswered = 0;

  constructor(
    private readonly name: string,
    private readonly link: RedisNodeLink,
  ) {}

  get isAway(): boolean {
    return this.awaySince !== undefined;
  }

  /**
   * What a call resolves to; `undefined`, and the server is not used any more, when it rejects or takes too long.
   *
   * @param onLate is called with what it resolves to when it took too long
   */
  async attempt<Reply>(
    call: () => Promise<Reply>,
    onLate?: (reply: Reply) => void,
    timeoutMs = this.link.options.timeouts.responseTimeoutMs,
  ): Promise<Reply | undefined> {
    const response = call();
    let giveUp!: () => void;
    const late = new Promise<undefined>((resolve) => {
      giveUp = () => {
        resolve(undefined);
      };
    });
    this.waiting.add(giveUp);
    const cancel = afterRunning(timeoutMs, () => {
      this.unanswered++;
      giveUp();
    });
    const responded = (): void => {
      this.unanswered = 0;
    };
    response.then(responded, responded);
    try {
      const reply = await Promise.race([response, late]);
      if (reply !== undefined) return reply;
      this.trip(`no response within ${timeoutMs} ms`);
      response.then(onLate, () => undefined);
    } catch (error) {
      this.trip(this.link.reasonOf(error as Error));
    } finally {
      cancel();
      this.waiting.delete(giveUp);
    }
    return undefined;
  }

  /** The server has failed. */
  trip(reason: string): void {
    if (this.isAway || this.isClosed) return;
    this.awaySince = performance.now();
    this.link.options.observer.degraded?.({ node: this.name, reason, refused: REFUSED.test(reason) });
    // No other call waits any longer for a server that does not respond.
    for (const giveUp of this.waiting) giveUp();
    this.probeLater();
  }

  /** Finds out whether the server responds: at the start, and regularly while it does not. */
  async probe(timeoutMs?: number): Promise<void> {
    const { name, link } = this;
    const isThere = await this.attempt(() => link.probe(name).then(() => true), undefined, timeoutMs);
    if (this.awaySince === undefined) return;
    if (!isThere) {
      if (this.unanswered >= MAX_UNANSWERED) {
        this.unanswered = 0;
        link.reconnect(name);
      }
      this.probeLater();
      return;
    }
    const afterMs = Math.round(performance.now() - this.awaySince);
    this.awaySince = undefined;
    clearTimeout(this.timer);
    link.options.observer.recovered?.({ node: name, afterMs });
    link.onRecovered();
  }

  close(): void {
    this.isClosed = true;
    this.awaySince = undefined;
    clearTimeout(this.timer);
  }

  private probeLater(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      void this.probe();
    }, this.link.options.timeouts.probeDelayMs).unref();
  }
}
