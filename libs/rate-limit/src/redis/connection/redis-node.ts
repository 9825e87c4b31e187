import type { RateLimitObserver } from '../../decision/rate-limit-observer.js';
import { type NodeContext, NodeHealth } from './node-health.js';
import type { RedisTimeouts } from './redis-timeouts.js';
import type { ScriptCall, ScriptConnection } from './script-call.js';

/** Statuses of a connection that was there and is not; one that is only being made is waited for. */
const LOST: ReadonlySet<string> = new Set(['close', 'reconnecting', 'end']);
/** An error that may be about the keys of a call alone. */
const MAYBE_OF_KEYS = /^(?:ERR|WRONGTYPE) /;

/** What a node needs to send calls. */
export interface RedisNodeContext extends NodeContext {
  /** Takes over a call that the node says belongs elsewhere; `false` if the error says something else. */
  redirect(call: ScriptCall, error: Error): boolean;
}

/**
 * One Redis server. When it fails to respond, or responds with an error, it is unavailable: calls then fail at once
 * until it has run the script again, which is tried in the background, so that no caller waits for a server
 * that hangs.
 */
export class RedisNode {
  private readonly health: NodeHealth;

  constructor(
    readonly name: string,
    private readonly context: RedisNodeContext,
    observer: RateLimitObserver,
    private readonly timeouts: RedisTimeouts,
  ) {
    this.health = new NodeHealth(name, context, observer, timeouts);
  }

  /** Resolves when the node has run the script, or is known to be unavailable: after `timeoutMs` at the latest. */
  open(timeoutMs: number): Promise<void> {
    return this.health.open(timeoutMs);
  }

  /** A new connection is ready. */
  connected(): void {
    this.health.connected();
  }

  /** Sends the calls in one write. */
  run(calls: readonly ScriptCall[]): void {
    const { health, context } = this;
    const connection = health.isUnavailable ? undefined : context.connection();
    if (connection === undefined || LOST.has(connection.status)) {
      if (!health.isUnavailable) health.markUnavailable(context.trouble() ?? 'no connection');
      for (const call of calls) call.fail();
      return;
    }
    this.expectResponses(calls);
    const pipeline = calls.length > 1 ? connection.pipeline() : undefined;
    for (const call of calls) this.send(call, pipeline ?? connection, false);
    // Its outcome is the outcome of its commands, each of which is awaited.
    if (pipeline) void pipeline.exec();
  }

  close(): void {
    this.health.close();
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
      // A value that another program has put there must not keep all others from their counters.
      if (MAYBE_OF_KEYS.test(error.message)) this.health.probe();
      else this.health.markUnavailable(this.context.reasonOf(error));
      call.fail();
    }
  }

  private expectResponses(calls: readonly ScriptCall[]): void {
    const { responseTimeoutMs } = this.timeouts;
    const timer = setTimeout(() => {
      // If this process itself was busy, responses may have arrived that were not read yet.
      setImmediate(() => {
        const late = calls.filter((call) => !call.settled);
        if (late.some((call) => !call.isSplit))
          this.health.markUnavailable(`no response within ${responseTimeoutMs} ms`);
        for (const call of late) call.fail();
      });
    }, responseTimeoutMs);
    let open = calls.length;
    for (const call of calls) {
      call.onSettled = () => {
        if (--open === 0) clearTimeout(timer);
      };
    }
  }
}
