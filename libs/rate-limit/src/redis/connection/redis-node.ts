import type { Redis } from 'ioredis';
import type { RateLimitObserver } from '../../decision/rate-limit-observer.js';
import type { RedisScript } from '../script/redis-script.js';
import type { ScriptCall, ScriptConnection } from './script-call.js';

/** How long to wait for a node, and how often to ask whether it is back; in milliseconds. */
export interface RedisTimeouts {
  /** A decision that has no answer after so long is made in the process. */
  readonly answerTimeoutMs: number;
  /** Time until the first attempt to find out whether a node is back; doubled each time, up to ten times as long. */
  readonly probeDelayMs: number;
}

export const DEFAULT_REDIS_TIMEOUTS: RedisTimeouts = { answerTimeoutMs: 40, probeDelayMs: 200 };

/** The longest time between two attempts, and after so long without an answer the connection is given up. */
const LONGEST_PROBES = 10;
/** Who goes away again so soon after coming back is asked more and more rarely, in milliseconds. */
const RELAPSE_MS = 10_000;
/** What a connection is called that was there and is not; one that is only being made is waited for. */
const LOST: ReadonlySet<string> = new Set(['close', 'reconnecting', 'end']);
const CONNECTED: ReadonlySet<string> = new Set(['connect', 'ready']);
/** An error that may be about the keys of a call alone. */
const MAYBE_OF_KEYS = /^(?:ERR|WRONGTYPE) /;

/** What a node must be told by its surroundings. */
export interface RedisNodeContext {
  /** The connection as it is now; none while the node is not reachable at all. */
  connection(): Redis | undefined;
  /** Why there is no connection, as far as that is known. */
  trouble(): string | undefined;
  /** A key that the node serves; `undefined` when it serves none any more. */
  probeKey(): string | undefined;
  /** The script whose run shows that the node is there; see `chargeScript`. */
  readonly script: RedisScript;
  /** Takes over a call that the node says belongs elsewhere; `false` if the error says something else. */
  redirect(call: ScriptCall, error: Error): boolean;
  /** The words of an error, without secrets. */
  reasonOf(error: Error): string;
}

/**
 * One Redis server. When it fails to answer, or answers with an error, it is away: calls then fail at once
 * until it has run the script again, which is tried in the background, so that nobody waits for a server
 * that hangs.
 */
export class RedisNode {
  private awaySince: number | undefined;
  private backSince = -Infinity;
  private relapsed = false;
  private pauseMs: number;
  private probe: NodeJS.Timeout | undefined;
  /** The wire that a probe is under way on. An answer that was lost with another wire never comes. */
  private probedWire: unknown;
  /** When an answer came last, or was first waited for. */
  private silentSince = 0;
  private closed = false;
  /** Told when the first attempt after the start has ended. */
  private onOpened: (() => void) | undefined;

  constructor(
    readonly name: string,
    private readonly context: RedisNodeContext,
    private readonly observer: RateLimitObserver,
    private readonly timeouts: RedisTimeouts,
  ) {
    this.pauseMs = timeouts.probeDelayMs;
  }

  get away(): boolean {
    return this.awaySince !== undefined;
  }

  /** Resolves when the node has run the script, or is known to be away: after `timeoutMs` at the latest. */
  async open(timeoutMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.onOpened = resolve;
      timer = setTimeout(() => {
        this.goAway(this.context.trouble() ?? `no answer within ${timeoutMs} ms`);
        this.opened();
      }, timeoutMs);
      this.tryNow();
    });
    clearTimeout(timer);
  }

  /** The connection is there anew. */
  connected(): void {
    // One that comes and goes waits for its turn.
    if (this.onOpened !== undefined || (this.away && !this.relapsed)) this.tryNow();
  }

  /** Sends the calls in one write. */
  run(calls: readonly ScriptCall[]): void {
    const connection = this.away ? undefined : this.context.connection();
    if (connection === undefined || LOST.has(connection.status)) {
      if (!this.away) this.goAway(this.context.trouble() ?? 'no connection');
      for (const call of calls) call.fail();
      return;
    }
    this.expectAnswers(calls);
    const pipeline = calls.length > 1 ? connection.pipeline() : undefined;
    for (const call of calls) this.send(call, pipeline ?? connection, false);
    // Its outcome is the outcome of its commands, each of which is awaited.
    if (pipeline) void pipeline.exec();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.probe);
    this.opened();
  }

  private send(call: ScriptCall, to: ScriptConnection, withText: boolean): void {
    call.sendTo(to, withText, (error) => {
      this.onError(call, error, withText);
    });
  }

  private onError(call: ScriptCall, error: Error, withText: boolean): void {
    const connection = this.context.connection();
    if (!withText && connection && error.message.startsWith('NOSCRIPT')) {
      this.send(call, connection, true);
    } else if (!this.context.redirect(call, error)) {
      // A value that somebody else has put there must not keep all others from their counters.
      if (MAYBE_OF_KEYS.test(error.message)) this.tryNow();
      else this.goAway(this.context.reasonOf(error));
      call.fail();
    }
  }

  private expectAnswers(calls: readonly ScriptCall[]): void {
    const timer = setTimeout(() => {
      // If this process itself was busy, answers may have arrived that were not read yet.
      setImmediate(() => {
        const late = calls.filter((call) => !call.settled);
        if (late.some((call) => !call.isSplit))
          this.goAway(`no answer within ${this.timeouts.answerTimeoutMs} ms`);
        for (const call of late) call.fail();
      });
    }, this.timeouts.answerTimeoutMs);
    let open = calls.length;
    for (const call of calls) {
      call.onSettled = () => {
        if (--open === 0) clearTimeout(timer);
      };
    }
  }

  private goAway(reason: string): void {
    if (this.away || this.closed) return;
    const now = performance.now();
    this.awaySince = now;
    this.silentSince = now;
    this.relapsed = now - this.backSince < RELAPSE_MS;
    if (!this.relapsed) this.pauseMs = this.timeouts.probeDelayMs;
    this.observer.degraded?.({ node: this.name, reason });
    this.opened();
    this.probeLater();
  }

  private comeBack(): void {
    this.opened();
    if (this.awaySince === undefined) return;
    const now = performance.now();
    const afterMs = Math.round(now - this.awaySince);
    this.awaySince = undefined;
    this.backSince = now;
    clearTimeout(this.probe);
    this.observer.recovered?.({ node: this.name, afterMs });
  }

  private opened(): void {
    this.onOpened?.();
    this.onOpened = undefined;
  }

  private probeLater(): void {
    if (this.closed) return;
    clearTimeout(this.probe);
    this.probe = setTimeout(() => {
      this.probeAgain();
    }, this.pauseMs);
    this.probe.unref();
    this.pauseMs = Math.min(2 * this.pauseMs, this.longestMs);
  }

  private probeAgain(): void {
    if (this.context.probeKey() === undefined) {
      this.comeBack();
      return;
    }
    this.probeLater();
    const connection = this.context.connection();
    if (connection === undefined) return;
    const now = performance.now();
    if (now - this.silentSince > this.longestMs && CONNECTED.has(connection.status)) {
      this.silentSince = now;
      connection.disconnect(true);
    } else this.tryNow();
  }

  /** Runs the script, unless that is under way: what answers to everything else may refuse just this. */
  private tryNow(): void {
    const connection = this.context.connection();
    const key = this.context.probeKey();
    if (connection?.status !== 'ready' || key === undefined || this.probedWire === connection.stream) return;
    const wire = connection.stream;
    this.probedWire = wire;
    const asked = performance.now();
    this.runScript(connection, key).then(
      () => {
        this.answered(wire);
        // One that is still too slow would only be called away again.
        if (performance.now() - asked <= this.timeouts.answerTimeoutMs) this.comeBack();
        else if (this.away) this.tryNow();
        else this.opened();
      },
      (error: unknown) => {
        this.answered(wire);
        this.goAway(this.context.reasonOf(error as Error));
      },
    );
  }

  private answered(wire: unknown): void {
    if (this.probedWire === wire) this.probedWire = undefined;
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

  private get longestMs(): number {
    return LONGEST_PROBES * this.timeouts.probeDelayMs;
  }
}
