import { setTimeout as sleep } from 'node:timers/promises';
import { SecretNotOpenedError, type SecretSealer } from '../secret/secret-sealer.js';
import { signedHeaders } from '../secret/webhook-secret.js';
import { startTimeout } from '../sending/timeout.js';
import type { WebhookSender } from '../sending/webhook-sender.js';
import { ClaimedDeliveries } from './claimed-deliveries.js';
import type { DelivererLog } from './deliverer-log.js';
import {
  type ClaimedDelivery,
  PRIORITY_CLASSES,
  type PriorityClass,
  type DeliveryQueue,
  type DeliverySignal,
  type EndedAttempt,
} from './delivery-queue.js';
import { EndpointLog } from './endpoint-log.js';
import { stepAfter } from './retry-schedule.js';

/** Outcome of an attempt: `retried` is a failure that another attempt follows. */
export const DELIVERY_OUTCOMES = ['delivered', 'retried', 'failed', 'dropped'] as const;

export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

/** Called with each result that is stored. */
export type DeliveryObserver = (outcome: DeliveryOutcome, count: number) => void;

interface DelivererParts {
  readonly queue: DeliveryQueue;
  readonly sender: WebhookSender;
  readonly sealer: SecretSealer;
  readonly signal: DeliverySignal;
  readonly log: DelivererLog;
  readonly observe: DeliveryObserver;
}

export interface DelivererOptions {
  /** How long a claimed delivery is this process's, in milliseconds: longer than an attempt takes. */
  readonly leaseMs?: number;
}

const LEASE_MS = 30_000;
/** An attempt that takes longer is slow, in milliseconds. */
const SLOW_AFTER_MS = 1_000;
/** Least time between the beginnings of two rounds, in milliseconds: what ends meanwhile is acknowledged together. */
const ROUND_MS = 10;
/** From one claim to the next at the latest, in milliseconds: for retries, and for what other processes have queued. */
const POLL_MS = 1_000;
/** Classes that are looked at when deliveries have been queued; the others when an attempt has ended, and regularly. */
const PROMPT_CLASSES: readonly PriorityClass[] = ['fast', 'new'];
/** Until a delivery whose secret cannot be opened is tried again, in milliseconds. */
const UNSIGNED_DELAY_MS = 60_000;

/**
 * Delivers in rounds: acknowledge what has ended, claim what is due, begin to send it. Any number of processes may do so:
 * each claims for the time of a lease, so that another one repeats what a dead process has not acknowledged.
 */
export class WebhookDeliverer {
  private readonly claimed = new ClaimedDeliveries();
  private ended: EndedAttempt[] = [];
  private unattempted: ClaimedDelivery[] = [];
  private unsigned: ClaimedDelivery[] = [];
  private isFailing = false;
  /** Whether an attempt has begun in this tick. */
  private isBeginning = false;
  /** Once it is to stop: when the last round begins at the latest, on the clock of `performance.now()`. */
  private stopsAt: number | undefined;
  /** Classes in which more may be due than was claimed. */
  private dueClasses = new Set(PRIORITY_CLASSES);
  private wake: () => void = () => undefined;
  private unlisten: (() => void) | undefined;
  private poll: NodeJS.Timeout | undefined;
  private loop: Promise<void> | undefined;

  private readonly endpointLog: EndpointLog;

  constructor(
    private readonly parts: DelivererParts,
    private readonly options: DelivererOptions = {},
  ) {
    this.endpointLog = new EndpointLog(parts.log);
  }

  start(): void {
    if (this.isStopping() || this.loop !== undefined) return;
    this.unlisten = this.parts.signal.listen(() => {
      this.look(PROMPT_CLASSES);
    });
    this.poll = setInterval(() => {
      this.look(PRIORITY_CLASSES);
    }, POLL_MS);
    this.loop = this.run();
  }

  /**
   * Claims nothing further, releases what waits, and lets running attempts end; what has not ended after `graceMs` is
   * aborted and released.
   */
  async stop(graceMs: number): Promise<void> {
    this.stopsAt = Infinity;
    this.unlisten?.();
    this.unattempted.push(...this.claimed.takeWaiting());
    this.wake();
    const giveUp = setTimeout(() => {
      // From here: what is aborted is still to be released when the process has not run meanwhile.
      this.stopsAt = performance.now() + POLL_MS;
      void this.parts.sender.destroy();
    }, graceMs);
    await this.loop;
    clearInterval(this.poll);
    clearTimeout(giveUp);
    await this.parts.sender.destroy();
  }

  private isStopping(): boolean {
    return this.stopsAt !== undefined;
  }

  private get isDone(): boolean {
    if (this.stopsAt === undefined) return false;
    const left = this.ended.length + this.unattempted.length + this.unsigned.length;
    return (this.claimed.isEmpty && left === 0) || performance.now() > this.stopsAt;
  }

  /** Never rejects. */
  private async run(): Promise<void> {
    while (!this.isDone) {
      const woken = this.untilWoken();
      const rested = sleep(ROUND_MS);
      try {
        await this.round();
        if (this.isFailing) this.parts.log.info({}, 'delivering webhooks works again');
        this.isFailing = false;
      } catch (error) {
        if (!this.isFailing) this.parts.log.warn({ err: error }, 'delivering webhooks failed, retrying');
        this.isFailing = true;
        this.dueClasses = new Set(PRIORITY_CLASSES);
        await sleep(POLL_MS);
      }
      await rested;
      await woken;
    }
  }

  /** Until the next wake-up from now on. */
  private untilWoken(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  private look(classes: readonly PriorityClass[]): void {
    for (const priorityClass of classes) this.dueClasses.add(priorityClass);
    if (classes.length > 0) this.wake();
  }

  private async round(): Promise<void> {
    await this.acknowledge();
    await this.release();
    if (this.isStopping() || this.dueClasses.size === 0) return;
    const classes = [...this.dueClasses];
    this.dueClasses.clear();
    const { leaseMs = LEASE_MS } = this.options;
    const claimedAt = performance.now();
    const { deliveries, dropped, failed } = await this.parts.queue.claim({
      ...this.claimed.room(classes),
      leaseMs,
    });
    this.parts.observe('dropped', dropped);
    this.parts.observe('failed', failed);
    // The other half is for the attempt.
    this.claimed.add(deliveries, claimedAt + leaseMs / 2);
    if (this.isStopping()) this.unattempted.push(...this.claimed.takeWaiting());
    this.begin();
    this.look(dropped + failed > 0 ? classes : deliveries.map(({ priorityClass }) => priorityClass));
  }

  /** One attempt in a tick of the event loop, which takes up to 0.3 ms: requests are served in between. */
  private begin(): void {
    if (this.isBeginning) return;
    // While the process stood still, others may have claimed it.
    this.unattempted.push(...this.claimed.takeOverdue());
    const next = this.claimed.begin();
    if (next === undefined) return;
    this.isBeginning = true;
    setImmediate(() => {
      this.isBeginning = false;
      this.begin();
    });
    void this.attempt(next);
  }

  private async attempt(delivery: ClaimedDelivery): Promise<void> {
    let isSlow = false;
    const endTimer = startTimeout(SLOW_AFTER_MS, () => {
      isSlow = true;
      this.unattempted.push(...this.claimed.slowDown(delivery));
      this.look([delivery.priorityClass]);
    });
    try {
      const outcome = await this.send(delivery);
      this.ended.push({ delivery, outcome, isSlow, step: stepAfter(delivery, outcome, Math.random()) });
    } catch (error) {
      if (error instanceof SecretNotOpenedError) {
        // The endpoint is not to blame: no attempt is counted.
        const { webhookId } = delivery;
        this.parts.log.warn({ err: error, webhookId }, 'webhook not signed, retrying later');
        this.unsigned.push(delivery);
      } else this.unattempted.push(delivery);
    } finally {
      endTimer();
      for (const priorityClass of this.claimed.end(delivery)) this.dueClasses.add(priorityClass);
      this.begin();
      this.wake();
    }
  }

  private send({
    url,
    messageId: id,
    body,
    sealedSecrets,
  }: ClaimedDelivery): ReturnType<WebhookSender['send']> {
    const timestamp = Math.floor(Date.now() / 1_000);
    const secrets = sealedSecrets.map((sealed) => this.parts.sealer.open(sealed));
    return this.parts.sender.send({ url, body, headers: signedHeaders({ id, timestamp, body }, secrets) });
  }

  private async acknowledge(): Promise<void> {
    const { ended } = this;
    if (ended.length === 0) return;
    this.ended = [];
    const changes = await this.parts.queue.acknowledge(ended).catch((error: unknown) => {
      this.ended.unshift(...ended);
      throw error;
    });
    for (const { step } of ended) this.parts.observe(step.status === 'pending' ? 'retried' : step.status, 1);
    this.endpointLog.write(changes, ended);
  }

  private async release(): Promise<void> {
    const [unattempted, unsigned] = [this.unattempted.splice(0), this.unsigned.splice(0)];
    // What cannot be released is due when its lease ends.
    await this.parts.queue.release(unattempted);
    await this.parts.queue.release(unsigned, UNSIGNED_DELAY_MS);
  }
}
