import calculateSlot from 'cluster-key-slot';
import { CircuitBreaker, withTimeout } from './circuit-breaker.js';
import {
  ConsumeScript,
  type ConsumeScriptOptions,
  type RequestGroup,
  type SubjectDecision,
} from './consume-script.js';
import type { LocalLimiter } from './local-limiter.js';
import { RateLimitResult } from './rate-limit-result.js';
import type { IoredisClient, RateLimitObserver, RedisTimeouts } from './rate-limiter.options.js';
import { CONNECT_TIMEOUT_MS, RedisClient } from './redis-client.js';
import type { RateLimitSubject } from './subject.js';

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
  /** Of this tick. */
  private readonly batch = new Map<string, PendingGroup>();

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
    await this.call([{ subjects: [NOBODY], wanted: 0 }]);
  }

  /** Whether Redis decides about a subject at this moment. */
  isDeciding(subject: RateLimitSubject): boolean {
    return !this.breakerOf(subject).isOpen;
  }

  /** Decides about one request. */
  consume(subjects: readonly RateLimitSubject[]): Promise<RateLimitResult> {
    const [first] = subjects;
    if (first === undefined || !this.isDeciding(first)) return Promise.resolve(this.local.consume(subjects));
    const id = groupIdOf(subjects);
    let group = this.batch.get(id);
    if (group === undefined) {
      if (this.batch.size === 0) setImmediate(this.send);
      this.batch.set(id, (group = { subjects, wanted: 0, waiting: [] }));
    }
    group.wanted++;
    const { waiting } = group;
    return new Promise((resolve) => waiting.push(resolve));
  }

  /** The result that a request would get now; `undefined` when Redis does not say. */
  async inspect(subject: RateLimitSubject): Promise<RateLimitResult | undefined> {
    const [[state] = []] = (await this.call([{ subjects: [subject], wanted: 0 }])) ?? [];
    return state && RateLimitResult.ofLook(subject, state);
  }

  /** Ends a ban. Resolves to whether there was one; `undefined` when Redis does not say. */
  async liftBan(id: string): Promise<boolean | undefined> {
    const group = { subjects: [{ ...NOBODY, id }], wanted: 0, liftsBan: true };
    const [[state] = []] = (await this.call([group])) ?? [];
    return state && state.banMs > 0;
  }

  close(): void {
    for (const breaker of this.breakers.values()) breaker.stop();
    this.client.redis.disconnect();
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
        resolve(decision ? resultOf(subjects, decision, index) : this.local.consume(subjects));
      });
    });
  }

  /** What Redis says about groups of one server; `undefined` when it is unavailable. */
  private async call(groups: readonly RequestGroup[]): Promise<SubjectDecision[][] | undefined> {
    const breaker = this.breakerOf(groups[0]?.subjects[0] ?? NOBODY);
    const decisions = await breaker.run(() => this.run(groups)).catch(() => undefined);
    decisions?.forEach((states, at) => {
      states.forEach((state, n) => {
        const subject = groups[at]?.subjects[n];
        if (subject === undefined) return;
        this.local.remember(subject, state);
        if (state.isLost) this.options.observer.lost?.(subject);
      });
    });
    return decisions;
  }

  private async run(groups: readonly RequestGroup[]): Promise<SubjectDecision[][] | undefined> {
    try {
      const decisions = await withTimeout(this.script.run(groups), this.options.timeouts.responseTimeoutMs);
      this.client.throwIfRefused();
      return decisions;
    } catch (error) {
      if (IS_MOVING.test((error as Error).message)) return undefined;
      throw error;
    }
  }

  /** Of the server that has a subject. */
  private breakerOf(subject: RateLimitSubject): CircuitBreaker {
    const { cluster, name } = this.client;
    const node = cluster?.slots[calculateSlot(this.script.keyOf(subject))]?.[0] ?? name;
    let breaker = this.breakers.get(node);
    if (breaker === undefined) {
      const { observer, timeouts } = this.options;
      breaker = new CircuitBreaker({
        retryAfterMs: timeouts.retryAfterMs,
        // A look tests the server that has the subject, or the one that has taken over from it.
        test: () => this.run([{ subjects: [subject], wanted: 0 }]),
        onOpen: (error) => {
          const reason = this.client.reasonOf(error);
          observer.degraded?.({ node, reason, refused: REFUSED.test(reason) });
        },
        onClose: (afterMs) => observer.recovered?.({ node, afterMs }),
      });
      this.breakers.set(node, breaker);
    }
    return breaker;
  }
}

/**
 * Equal for requests that can be decided together: those of one subject, or of the same ones, under the same limits. With the
 * lengths of ids, so that no id reads like two of others.
 */
function groupIdOf(subjects: readonly RateLimitSubject[]): string {
  let text = '';
  for (const { id, limits, bannable } of subjects)
    text += `${id.length} ${id} ${limits.perMinute} ${limits.perDay} ${bannable === true} `;
  return text;
}

/** What a decision says about one of its requests: of the subject that refused it, else of the last. */
function resultOf(
  subjects: readonly RateLimitSubject[],
  decision: readonly SubjectDecision[],
  index: number,
): RateLimitResult {
  const isAdmitted = index < (decision[0]?.admitted ?? 0);
  const at = isAdmitted ? decision.length - 1 : decision.findIndex(({ isRefusing }) => isRefusing);
  const [subject, state] = [subjects[at], decision[at]];
  if (subject === undefined || state === undefined) throw new RangeError('a decision about other subjects');
  const { admitted, refusedBeforeBan, banStarted } = state;
  // An admitted request sees the windows before those that came after it.
  if (isAdmitted) return new RateLimitResult(subject, state, true, false, admitted - 1 - index, 0);
  const afterBan = index - admitted - refusedBeforeBan;
  const banMs = afterBan < 0 ? 0 : state.banMs;
  return new RateLimitResult(subject, state, false, banStarted && afterBan === 0, 0, banMs);
}
