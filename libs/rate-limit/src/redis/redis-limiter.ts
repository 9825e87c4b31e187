import calculateSlot from 'cluster-key-slot';
import { CircuitBreaker, withTimeout } from '../circuit-breaker.js';
import type { LocalLimiter } from '../local/local-limiter.js';
import type { RateLimitObserver } from '../rate-limit-observer.js';
import { type Decision, RateLimitResult } from '../rate-limit-result.js';
import type { RateLimitSubject } from '../subject.js';
import { ConsumeScript, type ConsumeScriptOptions, type RequestGroup } from './consume-script.js';
import type { IoredisClient } from './ioredis-client.js';
import { CONNECT_TIMEOUT_MS, RedisClient } from './redis-client.js';

/** How long to wait for a Redis server, and how often to try one that is unavailable. */
export interface RedisTimeouts {
  /** A decision without a response after so many milliseconds is made in the process. */
  readonly responseTimeoutMs: number;
  /** Milliseconds between two tests of a server that is unavailable. */
  readonly retryAfterMs: number;
}

export const DEFAULT_REDIS_TIMEOUTS: RedisTimeouts = { responseTimeoutMs: 250, retryAfterMs: 200 };

/** Most groups of requests in one call, which occupies the server for some milliseconds. */
const MOST_IN_A_CALL = 200;
/** What a server says to a user, a password, a database or a name of a key that it does not accept. */
const REFUSED = /^(?:NOPERM|NOAUTH|WRONGPASS|ERR|MOVED|CROSSSLOT) /;
/** What nodes say, in circles, while the slot of a subject moves from one to the other: no fault of either. */
const IS_MOVING = /TRYAGAIN|Too many Cluster redirections/;
/** Is looked at when there is no other; leaves nothing behind. */
const NOBODY: RateLimitSubject = { id: 'nobody', limits: { perMinute: 1, perDay: 1 } };

/** Requests of one tick that consume from the same subjects. */
interface PendingGroup extends RequestGroup {
  wanted: number;
  readonly waiting: ((result: RateLimitResult) => void)[];
}

/** How the limiter uses Redis. */
export interface RedisLimiterOptions extends ConsumeScriptOptions {
  readonly observer: RateLimitObserver;
  readonly timeouts: RedisTimeouts;
}

/**
 * Decides in Redis, for all instances together; while a server is unavailable, the local limiter decides. The requests of
 * one tick of the event loop are one call; on a cluster, those of each subject.
 */
export class RedisLimiter {
  private readonly client: RedisClient;
  private readonly script: ConsumeScript;
  private readonly breakers = new Map<string, CircuitBreaker>();
  private readonly tests = new Set<NodeJS.Timeout>();
  /** Of this tick. */
  private readonly batch = new Map<string, PendingGroup>();
  private isClosed = false;

  constructor(
    target: IoredisClient,
    private readonly local: LocalLimiter,
    private readonly options: RedisLimiterOptions,
  ) {
    this.client = new RedisClient(target);
    this.script = new ConsumeScript(this.client.redis, options);
  }

  /** Connects, within about a second, and finds out whether Redis decides. */
  async connect(): Promise<void> {
    await withTimeout(this.client.connect(), CONNECT_TIMEOUT_MS).catch(() => undefined);
    await this.ask({ subjects: [NOBODY], wanted: 0 });
  }

  /** Whether Redis decides about a subject at this moment. */
  isDeciding(subject: RateLimitSubject): boolean {
    return !this.breakerOf(subject).isOpen;
  }

  /** Decides about one request. */
  consume(subjects: readonly RateLimitSubject[]): Promise<RateLimitResult> {
    const [first] = subjects;
    if (first === undefined || !this.isDeciding(first)) return Promise.resolve(this.local.consume(subjects));
    return new Promise((resolve) => {
      const group = this.groupOf(subjects);
      group.wanted++;
      group.waiting.push(resolve);
    });
  }

  /** The result that a request would get now; `undefined` when Redis does not say. */
  async inspect(subject: RateLimitSubject): Promise<RateLimitResult | undefined> {
    const decision = await this.ask({ subjects: [subject], wanted: 0 });
    return decision?.states[0] && RateLimitResult.ofLook(subject, decision.states[0]);
  }

  /** Ends a ban. Resolves to whether there was one; `undefined` when Redis does not say. */
  async liftBan(id: string): Promise<boolean | undefined> {
    const decision = await this.ask({ subjects: [{ ...NOBODY, id }], wanted: 0, liftsBan: true });
    return decision?.states[0] && decision.states[0].banMs > 0;
  }

  close(): void {
    this.isClosed = true;
    for (const timer of this.tests) clearTimeout(timer);
    this.client.redis.disconnect();
  }

  /** The group of this tick that a request joins. */
  private groupOf(subjects: readonly RateLimitSubject[]): PendingGroup {
    const id = groupIdOf(subjects);
    let group = this.batch.get(id);
    if (group === undefined) {
      if (this.batch.size === 0) setImmediate(this.send);
      this.batch.set(id, (group = { subjects, wanted: 0, waiting: [] }));
    }
    return group;
  }

  /** At the end of the tick: whatever else came in with it has joined by then. */
  private readonly send = (): void => {
    const batch = [...this.batch.values()];
    this.batch.clear();
    const most = this.client.cluster === undefined ? MOST_IN_A_CALL : 1;
    for (let i = 0; i < batch.length; i += most) void this.decide(batch.slice(i, i + most));
  };

  private async decide(groups: readonly PendingGroup[]): Promise<void> {
    const decisions = await this.call(groups);
    groups.forEach(({ subjects, waiting }, at) => {
      const decision = decisions?.[at];
      waiting.forEach((resolve, index) => {
        resolve(decision ? RateLimitResult.of(subjects, decision, index) : this.local.consume(subjects));
      });
    });
  }

  private async ask(group: RequestGroup): Promise<Decision | undefined> {
    return (await this.call([group]))?.[0];
  }

  /** What Redis says about groups of one server; `undefined` when it is unavailable. */
  private async call(groups: readonly RequestGroup[]): Promise<readonly Decision[] | undefined> {
    const breaker = this.breakerOf(groups[0]?.subjects[0] ?? NOBODY);
    if (breaker.isOpen) return undefined;
    const decisions = await breaker.run(() => this.run(groups))?.catch(() => undefined);
    decisions?.forEach(({ states }, at) => {
      states.forEach((state, n) => {
        const subject = groups[at]?.subjects[n];
        if (subject === undefined) return;
        this.local.remember(subject, state);
        if (state.isLost) this.options.observer.lost?.(subject);
      });
    });
    return decisions;
  }

  private async run(groups: readonly RequestGroup[]): Promise<readonly Decision[] | undefined> {
    try {
      return await withTimeout(this.script.run(groups), this.options.timeouts.responseTimeoutMs);
    } catch (error) {
      if (IS_MOVING.test((error as Error).message)) return undefined;
      throw error;
    }
  }

  /** Of the server that has a subject. */
  private breakerOf(subject: RateLimitSubject): CircuitBreaker {
    const { cluster, name } = this.client;
    const server = cluster?.slots[calculateSlot(this.script.keyOf(subject))]?.[0] ?? name;
    let breaker = this.breakers.get(server);
    if (breaker === undefined) {
      breaker = this.createBreaker(server, subject);
      this.breakers.set(server, breaker);
    }
    return breaker;
  }

  /** @param subject one that the server has: a look at it tests the server, or the one that has taken over from it */
  private createBreaker(node: string, subject: RateLimitSubject): CircuitBreaker {
    const { observer, timeouts } = this.options;
    const { retryAfterMs } = timeouts;
    const testLater = (): void => {
      if (this.isClosed) return;
      const timer = setTimeout(() => {
        this.tests.delete(timer);
        void Promise.resolve(breaker.run(() => this.run([{ subjects: [subject], wanted: 0 }])))
          .catch(() => undefined)
          .then(() => {
            if (breaker.isOpen) testLater();
          });
      }, retryAfterMs).unref();
      this.tests.add(timer);
    };
    const breaker = new CircuitBreaker({
      retryAfterMs,
      onOpen: (error) => {
        if (this.isClosed) return;
        const reason = this.client.reasonOf(error);
        observer.degraded?.({ node, reason, refused: REFUSED.test(reason) });
        testLater();
      },
      onClose: (afterMs) => observer.recovered?.({ node, afterMs }),
    });
    return breaker;
  }
}

/** Equal for requests that can be decided together: those of one subject, or of the same ones, under the same limits. */
function groupIdOf(subjects: readonly RateLimitSubject[]): string {
  let text = '';
  for (const { id, limits, bannable } of subjects)
    text += `${id} ${limits.perMinute} ${limits.perDay} ${bannable === true} `;
  return text;
}
