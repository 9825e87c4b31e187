import type { Redis } from 'ioredis';
import type { RateLimitObserver } from '../../decision/rate-limit-observer.js';
import type { RedisScript } from '../script/redis-script.js';
import type { RedisTimeouts } from './redis-timeouts.js';

/** The longest time between two probes, and after so long without a response the connection is given up. */
const LONGEST_PROBE_DELAYS = 10;
/** A node that becomes unavailable again so soon after coming back is probed less and less often, in milliseconds. */
const RELAPSE_MS = 10_000;
const CONNECTED: ReadonlySet<string> = new Set(['connect', 'ready']);

/** What a node gets from its topology. */
export interface NodeContext {
  /** The connection as it is now; none while the node is not reachable at all. */
  connection(): Redis | undefined;
  /** Why there is no connection, as far as that is known. */
  trouble(): string | undefined;
  /** A key that the node serves; `undefined` when it serves none any more. */
  probeKey(): string | undefined;
  /** The script whose run shows that the node is there; see `chargeScript`. */
  readonly script: RedisScript;
  /** The message of an error, without secrets. */
  reasonOf(error: Error): string;
}

/** Whether one Redis server can be used, and the probes that find out when it can be again. */
export class NodeHealth {
  private awaySince: number | undefined;
  private backSince = -Infinity;
  private relapsed = false;
  private delayMs: number;
  private timer: NodeJS.Timeout | undefined;
  /** The stream that a probe is under way on. A response that was lost with another stream never comes. */
  private probedStream: unknown;
  /** When a response came last, or was first waited for. */
  private silentSince = 0;
  private closed = false;
  /** Called when the first probe after the start has ended. */
  private onOpened: (() => void) | undefined;

  constructor(
    private readonly name: string,
    private readonly context: NodeContext,
    private readonly observer: RateLimitObserver,
    private readonly timeouts: RedisTimeouts,
  ) {
    this.delayMs = timeouts.probeDelayMs;
  }

  get isUnavailable(): boolean {
    return this.awaySince !== undefined;
  }

  /** Resolves when the node has run the script, or is known to be unavailable: after `timeoutMs` at the latest. */
  async open(timeoutMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.onOpened = resolve;
      timer = setTimeout(() => {
        this.markUnavailable(this.context.trouble() ?? `no response within ${timeoutMs} ms`);
        this.opened();
      }, timeoutMs);
      this.probe();
    });
    clearTimeout(timer);
  }

  /** A new connection is ready. */
  connected(): void {
    // A node that comes and goes waits for its next probe.
    if (this.onOpened !== undefined || (this.isUnavailable && !this.relapsed)) this.probe();
  }

  markUnavailable(reason: string): void {
    if (this.isUnavailable || this.closed) return;
    const now = performance.now();
    this.awaySince = now;
    this.silentSince = now;
    this.relapsed = now - this.backSince < RELAPSE_MS;
    if (!this.relapsed) this.delayMs = this.timeouts.probeDelayMs;
    this.observer.degraded?.({ node: this.name, reason });
    this.opened();
    this.probeLater();
  }

  /** Runs the script, unless that is under way: a server that does everything else may refuse just this. */
  probe(): void {
    const connection = this.context.connection();
    const key = this.context.probeKey();
    if (connection?.status !== 'ready' || key === undefined || this.probedStream === connection.stream)
      return;
    const { stream } = connection;
    this.probedStream = stream;
    const startedAt = performance.now();
    this.runScript(connection, key).then(
      () => {
        this.onProbeEnd(stream);
        // One that is still too slow would only become unavailable again.
        if (performance.now() - startedAt <= this.timeouts.responseTimeoutMs) this.markAvailable();
        else if (this.isUnavailable) this.probe();
        else this.opened();
      },
      (error: unknown) => {
        this.onProbeEnd(stream);
        this.markUnavailable(this.context.reasonOf(error as Error));
      },
    );
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.opened();
  }

  private markAvailable(): void {
    this.opened();
    if (this.awaySince === undefined) return;
    const now = performance.now();
    const afterMs = Math.round(now - this.awaySince);
    this.awaySince = undefined;
    this.backSince = now;
    clearTimeout(this.timer);
    this.observer.recovered?.({ node: this.name, afterMs });
  }

  private opened(): void {
    this.onOpened?.();
    this.onOpened = undefined;
  }

  private probeLater(): void {
    if (this.closed) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.probeAgain();
    }, this.delayMs);
    this.timer.unref();
    this.delayMs = Math.min(2 * this.delayMs, this.longestDelayMs);
  }

  private probeAgain(): void {
    if (this.context.probeKey() === undefined) {
      this.markAvailable();
      return;
    }
    this.probeLater();
    const connection = this.context.connection();
    if (connection === undefined) return;
    const now = performance.now();
    if (now - this.silentSince > this.longestDelayMs && CONNECTED.has(connection.status)) {
      this.silentSince = now;
      connection.disconnect(true);
    } else this.probe();
  }

  private onProbeEnd(stream: unknown): void {
    if (this.probedStream === stream) this.probedStream = undefined;
    this.silentSince = performance.now();
  }

  private async runScript(connection: Redis, key: string): Promise<void> {
    const { sha, source } = this.context.script;
    try {
      await connection.call('evalsha', [sha, 1, key, '', '']);
    } catch (error) {
      if (!(error as Error).message.startsWith('NOSCRIPT')) throw error;
      await connection.call('eval', [source, 1, key, '', '']);
    }
  }

  private get longestDelayMs(): number {
    return LONGEST_PROBE_DELAYS * this.timeouts.probeDelayMs;
  }
}
