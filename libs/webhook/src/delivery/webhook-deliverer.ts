import type { SecretSealer } from '../secret/secret-sealer.js';
import { SigningKeys } from '../secret/signing-keys.js';
import type { WebhookSender } from '../sending/webhook-sender.js';
import { stepAfter } from './retry-schedule.js';
import type { DelivererLog } from './deliverer-log.js';
import type { ClaimedDelivery, DeliveryQueue, DisabledEndpoint } from './delivery-queue.js';
import type { DeliverySignal } from './delivery-signal.js';
import { EndpointLanes } from './endpoint-lanes.js';
import type { EndedAttempt, LeasedDelivery } from './leased-delivery.js';
import { messageOf } from './webhook-message.js';
import { WorkLoop } from './work-loop.js';

/** What has become of a delivery: `retried` is a failed attempt that another one follows. */
export const DELIVERY_OUTCOMES = ['delivered', 'retried', 'failed', 'dropped'] as const;

export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

/** Called with each result that is stored. */
export type DeliveryObserver = (outcome: DeliveryOutcome, count: number) => void;

export interface DelivererParts {
  readonly queue: DeliveryQueue;
  readonly sender: WebhookSender;
  readonly sealer: SecretSealer;
  readonly signal: DeliverySignal;
  readonly log: DelivererLog;
  readonly observe: DeliveryObserver;
}

export interface DelivererOptions {
  /** How long a claimed delivery is this process's, in milliseconds. */
  readonly leaseMs?: number;
  /** How long before the end of its lease an attempt must have begun, in milliseconds: longer than one takes. */
  readonly attemptMs?: number;
}

const LEASE_MS = 30_000;
const ATTEMPT_MS = 16_000;
/** An attempt that takes longer is slow, in milliseconds. */
const SLOW_AFTER_MS = 1_000;
/** Without a hint: retries that are due, and what other processes have queued. Less than the loop's second. */
const CLAIM_INTERVAL_MS = 900;
/** Until the next claim when others have claimed the same at the same moment, in milliseconds. */
const CONTENTION_MS = 20;
/** Until a delivery whose secret cannot be opened is tried again, in milliseconds. */
const SEALED_DELAY_MS = 60_000;

/**
 * Attempts what is due. Every process may have one: each claims what it attempts for the time of a lease, so that
 * another one repeats what a process has not settled that has died. Never rejects.
 */
export class WebhookDeliverer {
  private readonly lanes = new EndpointLanes<LeasedDelivery>();
  private readonly keys: SigningKeys;
  private readonly loop: WorkLoop;
  private readonly abort = new AbortController();
  private ended: EndedAttempt[] = [];
  private unattempted: LeasedDelivery[] = [];
  private sealed: LeasedDelivery[] = [];
  /** Whether more may be due than was claimed. */
  private isHungry = true;
  /** On the clock of `performance.now()`. */
  private claimedAt = 0;
  private isStopping = false;
  /** Whether an attempt has begun in this turn of the event loop. */
  private isBeginning = false;
  private unlisten: (() => void) | undefined;

  constructor(
    private readonly parts: DelivererParts,
    private readonly options: DelivererOptions = {},
  ) {
    this.keys = new SigningKeys(parts.sealer);
    this.loop = new WorkLoop(() => this.work(), parts.log);
  }

  start(): void {
    if (this.isStopping || this.unlisten !== undefined) return;
    this.unlisten = this.parts.signal.listen(() => {
      this.isHungry = true;
      this.loop.wake();
    });
    this.loop.start();
  }

  /**
   * Claims nothing any more, gives back what waits, and lets attempts end that are under way; what has not ended after
   * `graceMs` is given up and given back.
   */
  async stop(graceMs: number): Promise<void> {
    this.isStopping = true;
    this.unlisten?.();
    this.giveBack(this.lanes.takeWaiting());
    const giveUp = setTimeout(() => {
      this.abort.abort(new Error('The process stops.'));
    }, graceMs);
    await this.loop.drain(() => this.lanes.held === 0, graceMs + SLOW_AFTER_MS);
    clearTimeout(giveUp);
    this.abort.abort(new Error('The process has stopped.'));
    this.parts.sender.close();
  }

  /** Writes down what has ended, then claims what is due. @returns whether there is more to do at once */
  private async work(): Promise<boolean> {
    await this.settle();
    await this.release();
    this.isHungry ||= performance.now() - this.claimedAt > CLAIM_INTERVAL_MS;
    const room = this.isHungry && !this.isStopping ? this.lanes.room() : undefined;
    if (room === undefined) return this.ended.length > 0 || this.unattempted.length > 0;
    this.isHungry = false;
    const claimedAt = (this.claimedAt = performance.now());
    const leaseMs = this.options.leaseMs ?? LEASE_MS;
    const claim = await this.parts.queue.claim({ ...room, leaseMs }).catch((error: unknown) => {
      this.isHungry = true;
      throw error;
    });
    const { dropped, failed, hasMore } = claim;
    const deliveries = claim.deliveries.map((each) => ({ ...each, leaseEndsAt: claimedAt + leaseMs }));
    const counts = new Map<string, number>();
    for (const delivery of deliveries) {
      counts.set(delivery.webhookId, (counts.get(delivery.webhookId) ?? 0) + 1);
    }
    this.lanes.add(deliveries);
    this.parts.observe('dropped', dropped);
    this.parts.observe('failed', failed);
    const isFull = (id: ClaimedDelivery['webhookId']): boolean =>
      (counts.get(id) ?? 0) >= (room.places.get(id) ?? room.otherPlaces);
    this.isHungry ||= hasMore || deliveries.some(({ webhookId }) => isFull(webhookId));
    if (this.isStopping) this.giveBack(this.lanes.takeWaiting());
    this.begin();
    const isContended = hasMore && deliveries.length + dropped + failed === 0;
    if (isContended) this.loop.wakeAfter(CONTENTION_MS);
    return hasMore && !isContended;
  }

  /** One attempt a turn of the event loop, which takes up to 0.3 ms: others in the process are served in between. */
  private begin(): void {
    if (this.isBeginning) return;
    const next = this.lanes.next();
    if (next === undefined) return;
    this.isBeginning = true;
    setImmediate(() => {
      this.isBeginning = false;
      this.begin();
    });
    void this.attempt(next);
  }

  private async attempt(delivery: LeasedDelivery): Promise<void> {
    const slow = setTimeout(() => {
      this.giveBack(this.lanes.slowDown(delivery.webhookId));
    }, SLOW_AFTER_MS);
    try {
      // Others may soon take it: it would be sent twice.
      if (performance.now() > delivery.leaseEndsAt - (this.options.attemptMs ?? ATTEMPT_MS))
        this.unattempted.push(delivery);
      else await this.send(delivery);
    } catch (error) {
      // The process stops, or the secret cannot be opened.
      if (this.abort.signal.aborted) this.unattempted.push(delivery);
      else this.putOff(delivery, error);
    } finally {
      clearTimeout(slow);
      this.lanes.end(delivery);
      this.begin();
      this.loop.wake();
    }
  }

  private async send(delivery: LeasedDelivery): Promise<void> {
    const message = messageOf(delivery, this.keys, Date.now());
    const outcome = await this.parts.sender.send(message, this.abort.signal);
    this.ended.push({ delivery, outcome, step: stepAfter(delivery, outcome, Math.random()) });
  }

  /** It is not the fault of the endpoint: no attempt is counted. */
  private putOff(delivery: LeasedDelivery, error: unknown): void {
    const { webhookId } = delivery;
    this.parts.log.warn({ err: error, webhookId }, 'webhook not signed, retrying later');
    this.sealed.push(delivery);
  }

  private giveBack(deliveries: readonly LeasedDelivery[]): void {
    this.unattempted.push(...deliveries);
    this.isHungry = true;
    this.loop.wake();
  }

  private async settle(): Promise<void> {
    const { ended } = this;
    if (ended.length === 0) return;
    this.ended = [];
    let disabled: readonly DisabledEndpoint[];
    try {
      disabled = await this.parts.queue.settle(ended);
    } catch (error) {
      this.keepUnderLease(ended);
      throw error;
    }
    this.lanes.remove(ended.map(({ delivery }) => delivery));
    for (const { step } of ended) this.parts.observe(step.status === 'pending' ? 'retried' : step.status, 1);
    for (const endpoint of disabled) this.parts.log.info(endpoint, 'webhook disabled');
  }

  /** What was not written down is tried again, until others may have repeated it. */
  private keepUnderLease(ended: readonly EndedAttempt[]): void {
    const now = performance.now();
    const isKept = ({ delivery }: EndedAttempt): boolean => delivery.leaseEndsAt > now;
    this.ended.push(...ended.filter(isKept));
    this.lanes.remove(ended.filter((attempt) => !isKept(attempt)).map(({ delivery }) => delivery));
  }

  private async release(): Promise<void> {
    const [unattempted, sealed] = [this.unattempted, this.sealed];
    [this.unattempted, this.sealed] = [[], []];
    // What cannot be given back comes back when its lease ends.
    this.lanes.remove([...unattempted, ...sealed]);
    await this.parts.queue.release(unattempted);
    await this.parts.queue.release(sealed, SEALED_DELAY_MS);
  }
}
