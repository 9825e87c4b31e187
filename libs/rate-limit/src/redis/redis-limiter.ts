import type { RateLimitObserver } from '../decision/rate-limit-observer.js';
import type { RateLimitResult } from '../decision/rate-limit-result.js';
import { RateLimiter } from '../decision/rate-limiter.js';
import type { LocalLimiter } from '../local/local-limiter.js';
import type { RateLimitSubject } from '../policy/rate-limit-subject.js';
import { LIFT_BAN_REQUEST, readSnapshot } from './charge-wire.js';
import { CoalescedCharge } from './coalesced-charge.js';
import type { RedisLink } from './redis-link.js';
import type { RedisNode } from './redis-node.js';

/** How long the start waits for Redis; limits are kept in the process after that, until it is there. */
const CONNECT_TIMEOUT_MS = 1_000;
/** Subjects in one of the calls that tell Redis what it does not know. */
const TOLD_TOGETHER = 20;

/**
 * Limits kept in Redis, shared by all instances of the service. The charges of one tick of the event loop are one call,
 * at its end; on a cluster each subject is a call of its own.
 */
export class RedisLimiter extends RateLimiter {
  /** The charges of this tick; `undefined` before the first, and the latest of each subject. */
  private batch: CoalescedCharge[] | undefined;
  private readonly bySubject = new Map<string, CoalescedCharge>();

  /** @param local decides while Redis is unavailable, and is the second lock while it is not */
  constructor(
    private readonly link: RedisLink,
    private readonly local: LocalLimiter,
    observer: RateLimitObserver,
  ) {
    super(observer);
    link.onRecovered = () => {
      void this.tell(local.owing());
    };
  }

  peek(wanted: RateLimitSubject): Promise<RateLimitResult> {
    const { subject, record } = this.local.find(wanted);
    const look = new CoalescedCharge(subject, false, record);
    this.currentBatch().push(look);
    return look.join();
  }

  recall(subject: RateLimitSubject): RateLimitResult {
    return this.local.recall(subject);
  }

  async liftBan(id: string): Promise<boolean> {
    const node = this.link.nodeOf(id);
    const reply = node.isAway ? undefined : await node.attempt(() => this.link.run([id], [LIFT_BAN_REQUEST]));
    const lifted = reply !== undefined && readSnapshot(reply, 0).banMs > 0;
    return (await this.local.liftBan(id)) || lifted;
  }

  close(): Promise<void> {
    this.link.close();
    return this.local.close();
  }

  protected connect(): Promise<void> {
    return this.link.connect(CONNECT_TIMEOUT_MS);
  }

  protected decide(wanted: RateLimitSubject): Promise<RateLimitResult> {
    const { subject, record } = this.local.use(wanted);
    let charge = this.bySubject.get(subject.id);
    if (!charge?.canJoin(subject)) {
      charge = new CoalescedCharge(subject, true, record);
      this.currentBatch().push(charge);
      this.bySubject.set(subject.id, charge);
    }
    return charge.join();
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
    const { link } = this;
    const byNode = new Map<RedisNode, CoalescedCharge[]>();
    for (const charge of charges) {
      const node = link.nodeOf(charge.subject.id);
      const together = byNode.get(node);
      if (together) together.push(charge);
      else byNode.set(node, [charge]);
    }
    const calls: Promise<void>[] = [];
    for (const [node, all] of byNode) {
      for (let i = 0; i < all.length; i += link.mostTogether) {
        calls.push(this.call(node, all.slice(i, i + link.mostTogether)));
      }
    }
    await Promise.all(calls);
  }

  private async call(node: RedisNode, charges: readonly CoalescedCharge[]): Promise<void> {
    if (node.isAway) {
      for (const charge of charges) charge.decideAlone(this.local);
      return;
    }
    const sentAt = this.local.now();
    const ids = charges.map(({ subject }) => subject.id);
    const requests = charges.map((charge) => charge.send(sentAt));
    const reply = await node.attempt(
      () => this.link.run(ids, requests),
      (late) => {
        for (const [i, charge] of charges.entries()) charge.onLateReply(readSnapshot(late, i));
      },
    );
    const now = this.local.now();
    for (const [i, charge] of charges.entries()) {
      if (reply !== undefined) charge.onReply(readSnapshot(reply, i), now);
      else charge.onFailure(this.local);
    }
    if (reply !== undefined)
      void this.tell(charges.filter(({ record }) => record !== undefined && record.owed > 0));
  }

  /** Tells Redis what it does not know to be admitted, so that other processes know of it as well. */
  private async tell(owing: readonly { readonly subject: RateLimitSubject }[]): Promise<void> {
    for (let i = 0; i < owing.length; i += TOLD_TOGETHER) {
      const some = owing.slice(i, i + TOLD_TOGETHER);
      await this.send(
        some.map(({ subject }) => new CoalescedCharge(subject, false, this.local.find(subject).record)),
      );
    }
  }
}
