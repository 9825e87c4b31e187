import type { Clock } from '../counters/clock.js';
import type { RateLimitObserver } from '../decision/rate-limit-observer.js';
import type { RateLimitResult } from '../decision/rate-limit-result.js';
import { RateLimiter } from '../limiter/rate-limiter.js';
import type { LocalLimiter } from '../local/local-limiter.js';
import type { BanPolicy } from '../policy/ban-policy.js';
import type { RateLimitSubject } from '../policy/rate-limit-subject.js';
import { LIFT_BAN_REQUEST, PROBE_REQUEST, readSnapshot, spellPolicy } from './charge-wire.js';
import { CoalescedCharge } from './coalesced-charge.js';
import type { RedisLink } from './redis-link.js';
import { RedisNode } from './redis-node.js';
import type { RedisTimeouts } from './redis-timeouts.js';

/** How long the start waits for Redis; limits are kept in the process after that, until it is there. */
const CONNECT_TIMEOUT_MS = 1_000;
/** Subjects in one of the calls that tell Redis what it does not know. */
const TOLD_TOGETHER = 20;

/** What a {@link RedisLimiter} works with. */
export interface RedisLimiterParts {
  readonly link: RedisLink;
  /** Decides while Redis is unavailable, and is the second lock while it is not. */
  readonly local: LocalLimiter;
  /** What the names of all keys begin with. */
  readonly prefix: string;
  /** `undefined` for no bans. */
  readonly banPolicy: BanPolicy | undefined;
  readonly observer: RateLimitObserver;
  readonly timeouts: RedisTimeouts;
  /** For tests; the servers' own time without. */
  readonly clock?: Clock | undefined;
}

/**
 * Limits kept in Redis, shared by all instances of the service. The charges of one tick of the event loop are one call,
 * at its end; on a cluster each subject is a call of its own.
 */
export class RedisLimiter extends RateLimiter {
  private readonly policy: string;
  private readonly nodes = new Map<string, RedisNode>();
  /** The charges of this tick; `undefined` before the first, and the latest of each subject. */
  private batch: CoalescedCharge[] | undefined;
  private readonly bySubject = new Map<string, CoalescedCharge>();

  constructor(private readonly parts: RedisLimiterParts) {
    super(parts.observer);
    this.policy = spellPolicy(parts.banPolicy);
  }

  peek(wanted: RateLimitSubject): Promise<RateLimitResult> {
    const { subject, record } = this.parts.local.find(wanted);
    const look = new CoalescedCharge(subject, false, record);
    this.currentBatch().push(look);
    return new Promise((resolve) => {
      look.add(resolve);
    });
  }

  recall(subject: RateLimitSubject): RateLimitResult {
    return this.parts.local.recall(subject);
  }

  async liftBan(id: string): Promise<boolean> {
    const key = this.parts.prefix + id;
    const node = this.nodeOf(key);
    const reply = node.isAway ? undefined : await node.attempt(() => this.run([key], [LIFT_BAN_REQUEST]));
    const lifted = reply !== undefined && readSnapshot(reply, 0).banMs > 0;
    return (await this.parts.local.liftBan(id)) || lifted;
  }

  close(): Promise<void> {
    for (const node of this.nodes.values()) node.dispose();
    this.parts.link.close();
    return this.parts.local.close();
  }

  protected async connect(): Promise<void> {
    const startedAt = performance.now();
    const names = await this.parts.link.connect(CONNECT_TIMEOUT_MS, {
      onReady: (name) => {
        const node = this.nodes.get(name);
        if (node?.isAway) void node.probe();
      },
      onLost: (name, reason) => {
        this.node(name).trip(reason);
      },
    });
    const leftMs = Math.max(1, Math.round(CONNECT_TIMEOUT_MS - (performance.now() - startedAt)));
    await Promise.all(names.map((name) => this.node(name).probe(leftMs)));
  }

  protected decide(wanted: RateLimitSubject): Promise<RateLimitResult> {
    const { subject, record } = this.parts.local.use(wanted);
    let charge = this.bySubject.get(subject.id);
    if (!charge?.canJoin(subject)) {
      charge = new CoalescedCharge(subject, true, record);
      this.currentBatch().push(charge);
      this.bySubject.set(subject.id, charge);
    }
    const joined = charge;
    return new Promise((resolve) => {
      joined.add(resolve);
    });
  }

  private currentBatch(): CoalescedCharge[] {
    if (this.batch === undefined) {
      const batch: CoalescedCharge[] = [];
      this.batch = batch;
      // The end of this tick: whatever else came in with it has been handled by then.
      setImmediate(() => {
        this.batch = undefined;
        this.bySubject.clear();
        void this.send(batch);
      });
    }
    return this.batch;
  }

  private async send(charges: readonly CoalescedCharge[]): Promise<void> {
    const byNode = new Map<RedisNode, CoalescedCharge[]>();
    for (const charge of charges) {
      const node = this.nodeOf(this.parts.prefix + charge.subject.id);
      const together = byNode.get(node);
      if (together) together.push(charge);
      else byNode.set(node, [charge]);
    }
    const { mostKeys } = this.parts.link;
    const calls: Promise<void>[] = [];
    for (const [node, together] of byNode) {
      for (let i = 0; i < together.length; i += mostKeys)
        calls.push(this.call(node, together.slice(i, i + mostKeys)));
    }
    await Promise.all(calls);
  }

  private async call(node: RedisNode, charges: readonly CoalescedCharge[]): Promise<void> {
    const { local, prefix } = this.parts;
    if (node.isAway) {
      for (const charge of charges) this.decideAlone(charge);
      return;
    }
    const sentAt = local.now();
    const keys = charges.map(({ subject }) => prefix + subject.id);
    const requests = charges.map((charge) => charge.send(sentAt));
    const onLate = (late: Buffer): void => {
      charges.forEach((charge, i) => {
        charge.onLateReply(readSnapshot(late, i));
      });
    };
    const reply = await node.attempt(() => this.run(keys, requests), onLate);
    const now = local.now();
    charges.forEach((charge, i) => {
      if (reply !== undefined) charge.onReply(readSnapshot(reply, i), now);
      else {
        charge.onFailure();
        this.decideAlone(charge);
      }
    });
    if (reply !== undefined)
      void this.tell(charges.filter(({ record }) => record !== undefined && record.owed > 0));
  }

  private decideAlone(charge: CoalescedCharge): void {
    const { subject, wanted, record } = charge;
    const snapshot = this.parts.local.decideNow(subject, record, wanted);
    record?.owe(snapshot.admitted);
    charge.resolveAll(snapshot);
  }

  /** Tells Redis what it does not know to be admitted, so that other processes know of it as well. */
  private async tell(owing: readonly { readonly subject: RateLimitSubject }[]): Promise<void> {
    for (let i = 0; i < owing.length; i += TOLD_TOGETHER) {
      const some = owing.slice(i, i + TOLD_TOGETHER);
      await this.send(
        some.map(({ subject }) => new CoalescedCharge(subject, false, this.parts.local.find(subject).record)),
      );
    }
  }

  private run(keys: readonly string[], requests: readonly string[]): Promise<Buffer> {
    const { clock, link } = this.parts;
    return link.run(keys, [clock ? String(Math.floor(clock() * 1000)) : '', this.policy, ...requests]);
  }

  private nodeOf(key: string): RedisNode {
    return this.node(this.parts.link.nodeOf(key));
  }

  private node(name: string): RedisNode {
    let node = this.nodes.get(name);
    if (node === undefined) {
      const { link, local, prefix, observer, timeouts } = this.parts;
      node = new RedisNode(name, {
        observer,
        timeouts,
        runProbe: async () => {
          const key = link.keyOn(name, (variation) => `${prefix}probe:${variation}`);
          if (key !== undefined) await this.run([key], [PROBE_REQUEST]);
        },
        reasonOf: (error) => link.reasonOf(error),
        onRecovered: () => {
          void this.tell(local.owing());
        },
      });
      this.nodes.set(name, node);
    }
    return node;
  }
}
