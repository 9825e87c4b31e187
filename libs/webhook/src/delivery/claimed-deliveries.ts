import type { WebhookId } from '../endpoint/webhook.js';
import type { ClaimedDelivery, ClaimRequest } from './delivery-queue.js';

/** Attempts at a time to one endpoint. */
const MAX_PER_ENDPOINT = 4;
/** Claimed for one that is not slow, so that its next attempts need not wait for the database. */
const MAX_HELD_PER_ENDPOINT = 4 * MAX_PER_ENDPOINT;
/** Claimed, and so at most attempted at a time, for endpoints that are not slow, and for those that are. */
const MAX_FAST = 64;
const MAX_SLOW = MAX_FAST / 2;
/** For how long an endpoint is slow, in milliseconds; longer than an attempt takes. */
const SLOW_FOR_MS = 60_000;

/**
 * What this process has claimed: it waits for its attempt, or is under way. An endpoint that hangs cannot hold others up:
 * it has at most four attempts, and when one is slow all of them count among those of slow endpoints, and what waits behind
 * them is given up. So the attempts under way may be more than the limits of both kinds together, for the seconds until they
 * time out, while hundreds of endpoints begin to hang.
 */
export class ClaimedDeliveries {
  private waiting: ClaimedDelivery[] = [];
  /** Attempts under way. */
  private readonly active = new Map<WebhookId, number>();
  /** On the clock of `performance.now()`. */
  private readonly slowUntil = new Map<WebhookId, number>();
  /** Whether there was no room for endpoints of one kind. */
  private isFull = false;

  get isEmpty(): boolean {
    return this.waiting.length === 0 && this.active.size === 0;
  }

  /** What may be claimed now. */
  room(): Omit<ClaimRequest, 'leaseMs'> {
    const now = performance.now();
    for (const [webhookId, until] of this.slowUntil) if (until < now) this.slowUntil.delete(webhookId);
    const held = new Map(this.active);
    for (const { webhookId } of this.waiting) held.set(webhookId, (held.get(webhookId) ?? 0) + 1);
    let [fastHeld, slowHeld] = [0, 0];
    for (const [webhookId, count] of held) {
      if (this.slowUntil.has(webhookId)) slowHeld += count;
      else fastHeld += count;
    }
    const [limit, slowLimit] = [Math.max(0, MAX_FAST - fastHeld), Math.max(0, MAX_SLOW - slowHeld)];
    this.isFull = limit === 0 || slowLimit === 0;
    return {
      perEndpoint: MAX_HELD_PER_ENDPOINT,
      perSlowEndpoint: MAX_PER_ENDPOINT,
      held,
      slow: [...this.slowUntil.keys()],
      limit,
      slowLimit,
    };
  }

  add(deliveries: readonly ClaimedDelivery[]): void {
    this.waiting.push(...deliveries);
  }

  /** The next one to attempt, which is under way from now on; `undefined` while none may begin. */
  begin(): ClaimedDelivery | undefined {
    const at = this.waiting.findIndex(({ webhookId }) => this.activeOf(webhookId) < MAX_PER_ENDPOINT);
    const next = this.waiting[at];
    if (next === undefined) return undefined;
    this.waiting.splice(at, 1);
    this.active.set(next.webhookId, this.activeOf(next.webhookId) + 1);
    return next;
  }

  /** An attempt has ended. @returns whether there may be more to claim instead */
  end({ webhookId }: ClaimedDelivery): boolean {
    const active = this.activeOf(webhookId);
    const isWanted = this.isFull || this.waiting.length > 0 || active === MAX_PER_ENDPOINT;
    if (active > 1) this.active.set(webhookId, active - 1);
    else this.active.delete(webhookId);
    return isWanted;
  }

  /** An attempt takes long. @returns what waited behind it, and does not any more */
  slowDown({ webhookId }: ClaimedDelivery): readonly ClaimedDelivery[] {
    this.slowUntil.set(webhookId, performance.now() + SLOW_FOR_MS);
    const waited = this.waiting.filter((each) => each.webhookId === webhookId);
    this.waiting = this.waiting.filter((each) => each.webhookId !== webhookId);
    return waited;
  }

  /** All that waits, and does not any more. */
  takeWaiting(): readonly ClaimedDelivery[] {
    return this.waiting.splice(0);
  }

  private activeOf(webhookId: WebhookId): number {
    return this.active.get(webhookId) ?? 0;
  }
}
