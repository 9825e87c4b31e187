import type { RateLimitObserver } from '../decision/rate-limit-observer.js';

/** How long to wait for a Redis server, and how often to ask whether it is back. */
export interface RedisTimeouts {
  /** A decision that has no response after so many milliseconds is made in the process. */
  readonly responseTimeoutMs: number;
  /** Milliseconds between two probes of a server that is unavailable. */
  readonly probeDelayMs: number;
}

export const DEFAULT_REDIS_TIMEOUTS: RedisTimeouts = { responseTimeoutMs: 40, probeDelayMs: 200 };

/** What a {@link RedisNode} needs from what it belongs to. */
export interface RedisNodeLink {
  readonly options: { readonly timeouts: RedisTimeouts; readonly observer: RateLimitObserver };
  /** Runs the script on a key of the node that is for just that; resolves at once when it has none any more. */
  probe(name: string): Promise<unknown>;
  /** What an error says, for a log line. */
  reasonOf(error: Error): string;
  /** Is called when a node is used again. */
  onRecovered(): void;
}

/**
 * A circuit breaker: one Redis server, which is used until it fails or does not respond in time, and again once a probe
 * has succeeded in time.
 */
export class RedisNode {
  private awaySince: number | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

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
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      // If this process itself was busy, a reply may have arrived that was not read yet: that comes before immediates.
      timer = setTimeout(() => setImmediate(resolve, undefined), timeoutMs);
    });
    try {
      const reply = await Promise.race([response, late]);
      if (reply !== undefined) return reply;
      this.trip(`no response within ${timeoutMs} ms`);
      response.then(onLate, () => undefined);
    } catch (error) {
      this.trip(this.link.reasonOf(error as Error));
    } finally {
      clearTimeout(timer);
    }
    return undefined;
  }

  /** The server has failed. */
  trip(reason: string): void {
    if (this.isAway || this.isClosed) return;
    this.awaySince = performance.now();
    this.link.options.observer.degraded?.({ node: this.name, reason });
    this.probeLater();
  }

  /** Finds out whether the server responds: at the start, and regularly while it does not. */
  async probe(timeoutMs?: number): Promise<void> {
    const { name, link } = this;
    const isThere = await this.attempt(() => link.probe(name).then(() => true), undefined, timeoutMs);
    if (this.awaySince === undefined) return;
    if (!isThere) {
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
