import type { RateLimitObserver } from '../decision/rate-limit-observer.js';
import type { RedisTimeouts } from './redis-timeouts.js';

/** The longest time between two probes, in times of the first. */
const LONGEST_DELAYS = 5;

/**
 * A circuit breaker: one Redis server, which is used until it fails or does not respond in time, and again once a probe
 * has succeeded in time.
 */
export class RedisNode {
  private awaySince: number | undefined;
  private delayMs = 0;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  /**
   * @param runProbe runs the script on a key of the node that is for just that; resolves at once when it has none any more
   * @param onRecovered is called when the node is used again
   */
  constructor(
    private readonly name: string,
    private readonly timeouts: RedisTimeouts,
    private readonly observer: RateLimitObserver,
    private readonly runProbe: () => Promise<unknown>,
    private readonly reasonOf: (error: Error) => string,
    private readonly onRecovered: () => void,
  ) {}

  get isAway(): boolean {
    return this.awaySince !== undefined;
  }

  /**
   * What a call resolves to; `undefined`, and the server is not used any more, when it rejects or takes too long.
   *
   * @param onLate is called with what it resolves to when it took too long
   */
  attempt<Reply>(
    call: () => Promise<Reply>,
    onLate?: (reply: Reply) => void,
    timeoutMs = this.timeouts.responseTimeoutMs,
  ): Promise<Reply | undefined> {
    return new Promise((resolve) => {
      let isLate = false;
      let waiting: NodeJS.Immediate | undefined;
      const fail = (reason: string): void => {
        this.trip(reason);
        resolve(undefined);
      };
      const timer = setTimeout(() => {
        // If this process itself was busy, a reply may have arrived that was not read yet.
        waiting = setImmediate(() => {
          isLate = true;
          fail(`no response within ${timeoutMs} ms`);
        });
      }, timeoutMs);
      const stopWaiting = (): void => {
        clearTimeout(timer);
        clearImmediate(waiting);
      };
      call().then(
        (reply) => {
          stopWaiting();
          if (isLate) onLate?.(reply);
          else resolve(reply);
        },
        (error: unknown) => {
          stopWaiting();
          if (!isLate) fail(this.reasonOf(error as Error));
        },
      );
    });
  }

  /** The server has failed. */
  trip(reason: string): void {
    if (this.isAway || this.isClosed) return;
    this.awaySince = performance.now();
    this.observer.degraded?.({ node: this.name, reason });
    this.probeAfter(this.timeouts.probeDelayMs);
  }

  /** Finds out whether the server responds: at the start, and when something has happened after which it may be back. */
  async probe(timeoutMs?: number): Promise<void> {
    if (this.isAway) this.probeAfter(this.delayMs);
    // A server that responds late may have hung, and be fast from now on.
    const onLate = (): void => {
      if (this.isAway) this.probeAfter(this.timeouts.probeDelayMs);
    };
    const isThere = await this.attempt(() => this.runProbe().then(() => true), onLate, timeoutMs);
    if (!isThere || this.awaySince === undefined) return;
    clearTimeout(this.timer);
    const afterMs = Math.round(performance.now() - this.awaySince);
    this.awaySince = undefined;
    this.observer.recovered?.({ node: this.name, afterMs });
    this.onRecovered();
  }

  close(): void {
    this.isClosed = true;
    this.awaySince = undefined;
    clearTimeout(this.timer);
  }

  private probeAfter(delayMs: number): void {
    this.delayMs = Math.min(2 * delayMs, LONGEST_DELAYS * this.timeouts.probeDelayMs);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      void this.probe();
    }, delayMs).unref();
  }
}
