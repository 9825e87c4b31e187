import type { Redis } from 'ioredis';
import type { RateLimitObserver } from '../rate-limit-observer.js';
import type { ScriptCall, ScriptConnection } from './script-call.js';

/** How long to wait for a node, and how often to ask whether it is back; in milliseconds. */
export interface RedisPatience {
  /** A decision that has no answer after so long is made in the process. */
  readonly answerMs: number;
  /** Time between two attempts to find out whether a node is back. */
  readonly probeMs: number;
}

export const DEFAULT_PATIENCE: RedisPatience = { answerMs: 40, probeMs: 200 };

/** After so many attempts without an answer the connection itself is given up. */
const PROBES_UNTIL_RECONNECT = 10;
/** What a connection is called that was there and is not; one that is only being made is waited for. */
const LOST: ReadonlySet<string> = new Set(['close', 'reconnecting', 'end']);
const CONNECTED: ReadonlySet<string> = new Set(['connect', 'ready']);

/** What a node must be told by its surroundings. */
export interface RedisNodeContext {
  /** The connection as it is now; none while the node is not reachable at all. */
  connection(): Redis | undefined;
  /** A key that the node serves; `undefined` when it serves none any more. */
  probeKey(): string | undefined;
  /** Takes over a call that the node says belongs elsewhere; `false` if the error says something else. */
  redirect(call: ScriptCall, error: Error): boolean;
}

/**
 * One Redis server. When it fails to answer, or answers with an error, it is away: calls then fail at once
 * until it has taken a write again, which is tried in the background, so that nobody waits for a server
 * that hangs.
 */
export class RedisNode {
  #awaySince: number | undefined;
  #probe: NodeJS.Timeout | undefined;
  /** The wire that a probe is under way on. An answer that was lost with another wire never comes. */
  #probedWire: unknown;
  /** How many attempts there were since an answer came last. */
  #silentProbes = 0;
  #closed = false;

  constructor(
    readonly name: string,
    private readonly context: RedisNodeContext,
    private readonly observer: RateLimitObserver,
    private readonly patience: RedisPatience,
  ) {}

  get away(): boolean {
    return this.#awaySince !== undefined;
  }

  /** Sends the calls in one write. */
  run(calls: readonly ScriptCall[]): void {
    const connection = this.away ? undefined : this.context.connection();
    if (connection === undefined || LOST.has(connection.status)) {
      if (!this.away) this.#goAway('no connection');
      for (const call of calls) call.fail();
      return;
    }
    this.#expectAnswers(calls);
    const pipeline = calls.length > 1 ? connection.pipeline() : undefined;
    for (const call of calls) this.#send(call, pipeline ?? connection, false);
    // Its outcome is the outcome of its commands, each of which is awaited.
    if (pipeline) void pipeline.exec();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#probe);
  }

  #send(call: ScriptCall, to: ScriptConnection, withText: boolean): void {
    call.sendTo(to, withText, (error) => {
      this.#onError(call, error, withText);
    });
  }

  #onError(call: ScriptCall, error: Error, withText: boolean): void {
    const connection = this.context.connection();
    if (!withText && connection && error.message.startsWith('NOSCRIPT')) {
      this.#send(call, connection, true);
    } else if (!this.context.redirect(call, error)) {
      this.#goAway(error.message);
      call.fail();
    }
  }

  #expectAnswers(calls: readonly ScriptCall[]): void {
    const timer = setTimeout(() => {
      // If this process itself was busy, answers may have arrived that were not read yet.
      setImmediate(() => {
        const late = calls.filter((call) => !call.settled);
        if (late.some((call) => !call.isSplit)) this.#goAway(`no answer within ${this.patience.answerMs} ms`);
        for (const call of late) call.fail();
      });
    }, this.patience.answerMs);
    let open = calls.length;
    for (const call of calls) {
      call.onSettled = () => {
        if (--open === 0) clearTimeout(timer);
      };
    }
  }

  #goAway(reason: string): void {
    if (this.away || this.#closed) return;
    this.#awaySince = performance.now();
    this.#silentProbes = 0;
    this.observer.degraded?.({ node: this.name, reason });
    this.#probeLater();
  }

  #comeBack(): void {
    if (this.#awaySince === undefined) return;
    const afterMs = Math.round(performance.now() - this.#awaySince);
    this.#awaySince = undefined;
    clearTimeout(this.#probe);
    this.observer.recovered?.({ node: this.name, afterMs });
  }

  #probeLater(): void {
    if (this.#closed) return;
    this.#probe = setTimeout(() => {
      this.#probeNow();
    }, this.patience.probeMs);
    this.#probe.unref();
  }

  /** A write, because a server whose memory is full still answers to everything else. */
  #probeNow(): void {
    const key = this.context.probeKey();
    if (key === undefined) {
      this.#comeBack();
      return;
    }
    this.#probeLater();
    const connection = this.context.connection();
    if (connection === undefined) return;
    if (++this.#silentProbes > PROBES_UNTIL_RECONNECT && CONNECTED.has(connection.status)) {
      this.#silentProbes = 0;
      connection.disconnect(true);
    } else if (connection.status === 'ready' && this.#probedWire !== connection.stream) {
      const wire = connection.stream;
      this.#probedWire = wire;
      const asked = performance.now();
      const answered = () => {
        if (this.#probedWire === wire) this.#probedWire = undefined;
        this.#silentProbes = 0;
      };
      connection.set(key, '', 'PX', this.patience.probeMs).then(() => {
        answered();
        // One that is still too slow would only be called away again.
        if (performance.now() - asked <= this.patience.answerMs) this.#comeBack();
      }, answered);
    }
  }
}
