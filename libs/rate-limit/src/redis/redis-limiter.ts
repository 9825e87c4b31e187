import type { RateLimitResult } from '../decision/rate-limit-result.js';
import type { RedisSnapshot } from '../decision/window-snapshot.js';
import { LocalLimiter, type LocalLimiterOptions } from '../local/local-limiter.js';
import type { RateLimitSubject } from '../policy/rate-limit-subject.js';
import { LIFT_BAN_REQUEST } from './charge-wire.js';
import { CoalescedCharge } from './coalesced-charge.js';
import type { RedisLink } from './redis-link.js';

/** Subjects in one of the calls that tell Redis what it does not know. */
const SUBJECTS_PER_TELL = 20;

/**
 * Limits kept in Redis, shared by all instances of the service. The charges of one tick of the event loop are one call,
 * at its end; on a cluster each subject is a call of its own. What it counts itself decides while Redis is unavailable,
 * and is the second lock while it is not.
 */
export class RedisLimiter extends LocalLimiter {
  /** The charges of this tick; the latest of each subject, which others may join. */
  private batch: CoalescedCharge[] = [];
  private readonly bySubject = new Map<string, CoalescedCharge>();

  constructor(
    private readonly link: RedisLink,
    options: LocalLimiterOptions,
  ) {
    super(options);
    link.onRecovered = () => {
      void this.tell(this.owing());
    };
  }

  override peek(wanted: RateLimitSubject): Promise<RateLimitResult> {
    const { subject, record } = this.recordOf(wanted);
    const look = new CoalescedCharge(subject, record, false);
    this.enqueue(look);
    return look.join();
  }

  override async liftBan(id: string): Promise<boolean> {
    const node = this.link.nodeOf(id);
    const reply = node.isAway ? undefined : await node.attempt(() => this.link.run([id], [LIFT_BAN_REQUEST]));
    const lifted = (reply?.[0]?.banMs ?? 0) > 0;
    return (await super.liftBan(id)) || lifted;
  }

  override close(): Promise<void> {
    this.link.close();
    return super.close();
  }

  protected override connect(): Promise<void> {
    return this.link.connect();
  }

  protected override decide(wanted: RateLimitSubject): Promise<RateLimitResult> {
    const { subject, record } = this.use(wanted);
    let charge = this.bySubject.get(subject.id);
    if (!charge?.canJoin(subject)) {
      charge = new CoalescedCharge(subject, record, true);
      this.enqueue(charge);
      this.bySubject.set(subject.id, charge);
    }
    return charge.join();
  }

  private enqueue(charge: CoalescedCharge): void {
    if (this.batch.push(charge) > 1) return;
    // The end of this tick: whatever else came in with it has been handled by then.
    setImmediate(() => {
      const { batch } = this;
      this.batch = [];
      this.bySubject.clear();
      void this.send(batch);
    });
  }

  private async send(charges: readonly CoalescedCharge[]): Promise<void> {
    const { maxTogether } = this.link;
    const calls: Promise<void>[] = [];
    for (let i = 0; i < charges.length; i += maxTogether)
      calls.push(this.call(charges.slice(i, i + maxTogether)));
    await Promise.all(calls);
  }

  /** Decides charges of one node. */
  private async call(charges: readonly CoalescedCharge[]): Promise<void> {
    const { link } = this;
    const ids = charges.map(({ subject }) => subject.id);
    const node = link.nodeOf(ids[0] ?? '');
    let snapshots: RedisSnapshot[] | undefined;
    if (!node.isAway) {
      const sentAt = this.now();
      const requests = charges.map((charge) => charge.beginRequest(sentAt));
      snapshots = await node.attempt(
        () => link.run(ids, requests),
        (late) => {
          for (const [i, snapshot] of late.entries()) charges[i]?.onLateReply(snapshot);
        },
      );
    }
    const now = this.now();
    for (const [i, charge] of charges.entries()) {
      const snapshot = snapshots?.[i];
      if (!snapshot) charge.decideAlone(this);
      else if (charge.onReply(snapshot, now)) this.observer.lost?.(charge.subject);
    }
    if (snapshots)
      void this.tell(charges.filter(({ record }) => record.owed > 0).map(({ subject }) => subject));
  }

  /** Tells Redis what it does not know to be admitted, so that other processes know of it as well. */
  private async tell(owing: readonly RateLimitSubject[]): Promise<void> {
    for (let i = 0; i < owing.length; i += SUBJECTS_PER_TELL) {
      const some = owing.slice(i, i + SUBJECTS_PER_TELL);
      await this.send(
        some.map((subject) => new CoalescedCharge(subject, this.recordOf(subject).record, false)),
      );
    }
  }
}
