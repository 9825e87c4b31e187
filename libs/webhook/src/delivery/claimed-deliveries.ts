import type { WebhookId } from '../endpoint/webhook.js';
import { type ClaimedDelivery, type ClaimRequest, type PriorityClass } from './delivery-queue.js';

/** Attempts at a time to one endpoint. */
const MAX_PER_ENDPOINT = 4;

/**
 * The share of each priority class, and of it that of one endpoint: why, and what it costs, is said where they are claimed
 * (`delivery-queue.queries.ts` of libs/persistence). For a fast endpoint more are claimed than attempted, so that its next
 * attempts need not wait for the database; for a new one only the attempt that shows how fast it is.
 */
const SHARES: ClaimRequest['classes'] = {
  fast: { limit: 64, perEndpoint: 4 * MAX_PER_ENDPOINT },
  new: { limit: 32, perEndpoint: 1 },
  slow: { limit: 32, perEndpoint: MAX_PER_ENDPOINT },
};

/** A delivery that waits for its attempt, until its lease has too little time left for that. */
interface WaitingDelivery {
  readonly delivery: ClaimedDelivery;
  /** On the clock of `performance.now()`. */
  readonly until: number;
}

/**
 * Deliveries that this process has claimed: waiting, or under way. An endpoint that hangs does not delay others: a slow
 * attempt counts in the class of slow endpoints, and what waits behind it is released. While hundreds of endpoints begin
 * to hang, the attempts under way may exceed the limits of all classes until they time out.
 */
export class ClaimedDeliveries {
  private waiting: WaitingDelivery[] = [];
  /** Attempts under way, and how many of each endpoint. */
  private readonly active = new Set<ClaimedDelivery>();
  private readonly activeOf = new Map<WebhookId, number>();
  /** Of the attempts under way, those that take long. */
  private readonly slow = new Set<ClaimedDelivery>();
  /** Classes in which there was no room when something may have been due. */
  private readonly full = { fast: false, new: false, slow: false };

  get isEmpty(): boolean {
    return this.waiting.length === 0 && this.active.size === 0;
  }

  /**
   * What may be claimed now.
   *
   * @param wanted classes in which something may be due
   */
  room(wanted: readonly PriorityClass[]): Omit<ClaimRequest, 'leaseMs'> {
    const held = new Map<WebhookId, number>();
    const taken = { fast: 0, new: 0, slow: 0 };
    for (const delivery of [...this.active, ...this.waiting.map((each) => each.delivery)]) {
      held.set(delivery.webhookId, (held.get(delivery.webhookId) ?? 0) + 1);
      taken[this.classOf(delivery)]++;
    }
    const room = (priorityClass: PriorityClass): ClaimRequest['classes'][PriorityClass] => ({
      ...SHARES[priorityClass],
      limit: wanted.includes(priorityClass)
        ? Math.max(0, SHARES[priorityClass].limit - taken[priorityClass])
        : 0,
    });
    const classes = { fast: room('fast'), new: room('new'), slow: room('slow') };
    for (const priorityClass of wanted) this.full[priorityClass] = classes[priorityClass].limit === 0;
    return { held, slow: [...new Set([...this.slow].map(({ webhookId }) => webhookId))], classes };
  }

  /** @param until when too little of their lease is left, on the clock of `performance.now()` */
  add(deliveries: readonly ClaimedDelivery[], until: number): void {
    this.waiting.push(...deliveries.map((delivery) => ({ delivery, until })));
  }

  /** The next one to attempt, which is under way from now on; `undefined` while none may begin. */
  begin(): ClaimedDelivery | undefined {
    const at = this.waiting.findIndex(({ delivery }) => this.countOf(delivery) < MAX_PER_ENDPOINT);
    const next = this.waiting[at]?.delivery;
    if (next === undefined) return undefined;
    this.waiting.splice(at, 1);
    this.active.add(next);
    this.activeOf.set(next.webhookId, this.countOf(next) + 1);
    return next;
  }

  /** An attempt has ended. @returns classes in which there may be more to claim instead: the next one is fast, if it was */
  end(delivery: ClaimedDelivery): readonly PriorityClass[] {
    const { webhookId } = delivery;
    const priorityClass = this.classOf(delivery);
    const count = this.countOf(delivery);
    const isWanted = this.full[priorityClass] || this.waiting.length > 0 || count === MAX_PER_ENDPOINT;
    this.active.delete(delivery);
    this.slow.delete(delivery);
    if (count > 1) this.activeOf.set(webhookId, count - 1);
    else this.activeOf.delete(webhookId);
    if (priorityClass === 'fast') return isWanted ? [priorityClass] : [];
    return [priorityClass, 'fast'];
  }

  /** An attempt takes long. @returns what waited behind it, and does not any more */
  slowDown(delivery: ClaimedDelivery): readonly ClaimedDelivery[] {
    this.slow.add(delivery);
    return this.take((each) => each.delivery.webhookId === delivery.webhookId);
  }

  /** What has waited for too long, and does not any more. */
  takeOverdue(): readonly ClaimedDelivery[] {
    const now = performance.now();
    return this.take(({ until }) => until < now);
  }

  /** All that waits, and does not any more. */
  takeWaiting(): readonly ClaimedDelivery[] {
    return this.take(() => true);
  }

  private take(isTaken: (waiting: WaitingDelivery) => boolean): readonly ClaimedDelivery[] {
    const taken = this.waiting.filter(isTaken);
    if (taken.length > 0) this.waiting = this.waiting.filter((each) => !isTaken(each));
    return taken.map(({ delivery }) => delivery);
  }

  private classOf(delivery: ClaimedDelivery): PriorityClass {
    return this.slow.has(delivery) ? 'slow' : delivery.priorityClass;
  }

  private countOf({ webhookId }: ClaimedDelivery): number {
    return this.activeOf.get(webhookId) ?? 0;
  }
}
