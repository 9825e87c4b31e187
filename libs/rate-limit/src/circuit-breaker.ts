/** How a {@link CircuitBreaker} works. */
export interface CircuitBreakerOptions {
  /** A call that shows whether the server is back; it is made while nothing else is. */
  readonly test: () => Promise<unknown>;
  /** Milliseconds after a failure at which the server is tested. */
  readonly retryAfterMs: number;
  /** A call failed: once for each outage. */
  readonly onOpen?: (error: Error) => void;
  /** A test succeeded, so many milliseconds after the breaker opened. */
  readonly onClose?: (afterMs: number) => void;
}

/** Keeps calls away from a server that fails: opens with the first call that fails, and closes with a test that succeeds. */
export class CircuitBreaker {
  /** On `performance.now()`, which is never set. */
  private openedAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(private readonly options: CircuitBreakerOptions) {}

  get isOpen(): boolean {
    return this.timer !== undefined;
  }

  /** What the call returns; `undefined` at once, without a call, while the breaker is open. */
  async run<Reply>(call: () => Promise<Reply>): Promise<Reply | undefined> {
    if (this.isOpen) return undefined;
    try {
      return await call();
    } catch (error) {
      this.open(error as Error);
      throw error;
    }
  }

  /** Tests no more. */
  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private open(error: Error): void {
    if (this.isOpen || this.isStopped) return;
    this.openedAt = performance.now();
    this.testLater();
    this.options.onOpen?.(error);
  }

  private testLater(): void {
    const { test, retryAfterMs, onClose } = this.options;
    this.timer = setTimeout(() => {
      test().then(
        () => {
          this.timer = undefined;
          onClose?.(Math.round(performance.now() - this.openedAt));
        },
        () => {
          if (!this.isStopped) this.testLater();
        },
      );
    }, retryAfterMs).unref();
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
