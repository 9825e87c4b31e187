/** How a {@link CircuitBreaker} works. */
export interface CircuitBreakerOptions {
  /** Milliseconds after a failure in which nothing is called; then one call tests. */
  readonly retryAfterMs: number;
  /** A call failed that was not a test: once for each outage. */
  readonly onOpen?: (error: Error) => void;
  /** A test succeeded, so many milliseconds after the breaker opened. */
  readonly onClose?: (afterMs: number) => void;
}

/** Keeps calls away from a server that fails: opens with the first call that fails, and closes with a test that succeeds. */
export class CircuitBreaker {
  /** Both on `performance.now()`, which is never set. */
  private openedAt: number | undefined;
  private retryAt = 0;
  private isTesting = false;

  constructor(private readonly options: CircuitBreakerOptions) {}

  get isOpen(): boolean {
    return this.openedAt !== undefined;
  }

  /** What the call returns; `undefined` at once, without a call, while the breaker is open and no test is due. */
  run<Reply>(call: () => Promise<Reply>): Promise<Reply> | undefined {
    if (this.openedAt === undefined) return this.watch(call);
    if (this.isTesting || performance.now() < this.retryAt) return undefined;
    this.isTesting = true;
    return this.watch(call, this.openedAt);
  }

  /** @param testedSince set for a test: when the breaker opened */
  private async watch<Reply>(call: () => Promise<Reply>, testedSince?: number): Promise<Reply> {
    try {
      const reply = await call();
      if (testedSince !== undefined) {
        this.openedAt = undefined;
        this.options.onClose?.(Math.round(performance.now() - testedSince));
      }
      return reply;
    } catch (error) {
      this.retryAt = performance.now() + this.options.retryAfterMs;
      if (this.openedAt === undefined) {
        this.openedAt = performance.now();
        this.options.onOpen?.(error as Error);
      }
      throw error;
    } finally {
      if (testedSince !== undefined) this.isTesting = false;
    }
  }
}

/**
 * What `running` resolves to; rejects when that takes more than `ms` milliseconds. When the time is over, the event loop
 * reads its sockets once more: a response that arrived while this process stood still counts.
 */
export function withTimeout<Reply>(running: Promise<Reply>, ms: number): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      setImmediate(() => {
        reject(new Error(`no response within ${ms} ms`));
      });
    }, ms);
    running.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}
