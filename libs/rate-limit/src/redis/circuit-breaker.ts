/**
 * Most that counts of the time between two checks of the clock, in milliseconds: longer pauses are this process' own.
 */
const SLICE_MS = 50;

/**
 * Calls `onEnd` when this process has been running for `ms` milliseconds: what a server sent while a busy machine kept
 * the process from running is read first.
 *
 * @returns how to call it off
 */
export function afterRunning(ms: number, onEnd: () => void): () => void {
  let leftMs = ms;
  let since = performance.now();
  let timer: NodeJS.Timeout;
  let immediate: NodeJS.Immediate | undefined;
  const wait = (): void => {
    timer = setTimeout(look, Math.min(leftMs, SLICE_MS));
  };
  const look = (): void => {
    const now = performance.now();
    leftMs -= Math.min(now - since, SLICE_MS);
    since = now;
    if (leftMs > 0) wait();
    // Sockets are read before immediates, and after timers.
    else immediate = setImmediate(onEnd);
  };
  wait();
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
}

/** How long to wait for a Redis server, and how often to ask whether it is back. */
export interface RedisTimeouts {
  /**
   * A decision without a response after so many milliseconds is made in the process. Time in which this process does
   * not run does not count.
   */
  readonly responseTimeoutMs: number;
  /** Milliseconds between two probes of a server that is unavailable. */
  readonly probeDelayMs: number;
}

export const DEFAULT_REDIS_TIMEOUTS: RedisTimeouts = { responseTimeoutMs: 250, probeDelayMs: 200 };

/** Consecutive calls without a response after which the server is called silent. */
const MAX_UNANSWERED = 4;

/** The server that a {@link CircuitBreaker} guards. */
export interface GuardedServer {
  readonly timeouts: RedisTimeouts;
  /** Calls the server; it is used again once this resolves in time. */
  probe(): Promise<unknown>;
  /** What an error says, for a log line. */
  reasonOf(error: Error): string;
  /** The server is used no more; and again, after so many milliseconds. */
  opened(reason: string): void;
  closed(afterMs: number): void;
  /** Nothing arrives on the connection: it may lead nowhere. */
  silent(): void;
}

/** One Redis server, which is used until it fails or does not respond in time, and again once a probe has succeeded. */
export class CircuitBreaker {
  private openSince: number | undefined;
  private isStopped = false;
  private timer: NodeJS.Timeout | undefined;
  /** Ends the wait of each call that has no response yet. */
  private readonly waiting = new Set<() => void>();
  /** Calls that had no response in time, since the last response. */
  private unanswered = 0;

  constructor(private readonly server: GuardedServer) {}

  /** Whether the server is not to be used. */
  get isOpen(): boolean {
    return this.openSince !== undefined;
  }

  /**
   * Waits for a call, and opens the breaker if it fails or takes too long.
   *
   * @param done gets the reply; nothing if the call failed, took too long, or the breaker opened meanwhile
   * @param late gets a reply that came after that
   */
  watch<Reply>(
    call: Promise<Reply>,
    done: (reply: Reply | undefined) => void,
    late?: (reply: Reply) => void,
  ): void {
    const { responseTimeoutMs } = this.server.timeouts;
    const end = (reply?: Reply): boolean => {
      if (!this.waiting.delete(giveUp)) return false;
      cancel();
      done(reply);
      return true;
    };
    const giveUp = (): void => void end();
    this.waiting.add(giveUp);
    const cancel = afterRunning(responseTimeoutMs, () => {
      this.unanswered++;
      this.open(`no response within ${responseTimeoutMs} ms`);
      giveUp();
    });
    call.then(
      (reply) => {
        this.unanswered = 0;
        if (!end(reply)) late?.(reply);
      },
      (error: unknown) => {
        this.unanswered = 0;
        if (!this.waiting.has(giveUp)) return;
        this.open(this.server.reasonOf(error as Error));
        giveUp();
      },
    );
  }

  /** The server has failed. No call waits for it any longer. */
  open(reason: string): void {
    if (this.isOpen || this.isStopped) return;
    this.openSince = performance.now();
    this.server.opened(reason);
    for (const giveUp of this.waiting) giveUp();
    this.probeLater();
  }

  /** Finds out whether the server responds: at the start, and regularly while the breaker is open. */
  probe(): Promise<void> {
    return new Promise((resolve) => {
      this.watch(
        this.server.probe().then(() => true),
        (reply) => {
          this.onProbed(reply === true);
          resolve();
        },
      );
    });
  }

  /** Nothing is probed any more. */
  stop(): void {
    this.isStopped = true;
    this.openSince = undefined;
    clearTimeout(this.timer);
  }

  private onProbed(isThere: boolean): void {
    if (this.openSince === undefined) return;
    if (isThere) {
      const afterMs = Math.round(performance.now() - this.openSince);
      this.openSince = undefined;
      clearTimeout(this.timer);
      this.server.closed(afterMs);
      return;
    }
    if (this.unanswered >= MAX_UNANSWERED) {
      this.unanswered = 0;
      this.server.silent();
    }
    this.probeLater();
  }

  private probeLater(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      void this.probe();
    }, this.server.timeouts.probeDelayMs).unref();
  }
}
