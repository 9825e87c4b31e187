import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import type { EndpointChange, WebhookId } from '../endpoint/webhook.js';
import { SecretNotOpenedError, type SecretSealer } from '../secret/secret-sealer.js';
import { signedHeaders } from '../secret/webhook-secret.js';
import type { AttemptOutcome } from '../sending/attempt-outcome.js';
import type { WebhookSender } from '../sending/webhook-sender.js';
import {
  type ClaimedDelivery,
  type ClaimRequest,
  type DeliveryQueue,
  type DeliveryNotifier,
  type EndedAttempt,
  type PriorityClass,
} from './delivery-queue.js';
import { stepAfter } from './retry-schedule.js';

/** Outcome of an attempt: `retried` is a failure that another attempt follows. */
export const DELIVERY_OUTCOMES = ['delivered', 'retried', 'failed', 'dropped'] as const;

export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

/** What a {@link WebhookDeliverer} works with. */
export interface DelivererParts {
  readonly queue: DeliveryQueue;
  readonly sender: WebhookSender;
  readonly sealer: SecretSealer;
  readonly notifier: DeliveryNotifier;
  /** Pino's loggers are one. */
  readonly log: Readonly<Record<'info' | 'warn', (fields: object, message: string) => void>>;
  /** Called with each result that is stored. */
  readonly observe: (outcome: DeliveryOutcome, count: number) => void;
  /** How long a claimed delivery is this process's, in milliseconds: longer than an attempt takes. */
  readonly leaseMs?: number;
}

const LEASE_MS = 30_000;

/** Attempts of each priority class at a time, so that endpoints that hang leave half of them to the others. */
const PER_CLASS = 64;
/** Of those of one endpoint. */
const PER_ENDPOINT = 4;

/** An attempt that takes longer is slow, in milliseconds, and counts in that class from then on. */
const SLOW_AFTER_MS = 1_000;
/** Least time between the beginnings of two rounds, in milliseconds: what ends meanwhile is acknowledged together. */
const ROUND_MS = 10;
/** From one claim to the next at the latest, in milliseconds: for retries, and for what other processes have queued. */
const POLL_MS = 1_000;
/** Until a delivery whose secret cannot be opened is tried again, in milliseconds. */
const UNSIGNED_DELAY_MS = 60_000;

/**
 * Delivers in rounds: acknowledge what has ended, claim what is due, begin to send it. Any number of processes may do so:
 * each claims for the time of a lease, so that another one repeats what a dead process has not acknowledged.
 */
export class WebhookDeliverer {
  /** Attempts under way, and the class in whose share each counts. */
  private readonly underWay = new Map<ClaimedDelivery, PriorityClass>();
  private ended: EndedAttempt[] = [];
  private isFailing = false;
  private isStopping = false;
  private wake: () => void = () => undefined;
  private unlisten: (() => void) | undefined;
  private poll: NodeJS.Timeout | undefined;
  private loop: Promise<void> | undefined;

  constructor(private readonly parts: DelivererParts) {}

  start(): void {
    if (this.isStopping || this.loop !== undefined) return;
    this.unlisten = this.parts.notifier.listen(() => {
      this.wake();
    });
    this.poll = setInterval(() => {
      this.wake();
    }, POLL_MS);
    this.loop = this.run();
  }

  /** Claims nothing further, and lets running attempts end; what has not ended after `graceMs` is aborted and released. */
  async stop(graceMs: number): Promise<void> {
    this.isStopping = true;
    this.unlisten?.();
    this.wake();
    const giveUp = setTimeout(() => void this.parts.sender.destroy(), graceMs);
    await this.loop;
    clearInterval(this.poll);
    clearTimeout(giveUp);
    await this.parts.sender.destroy();
  }

  /** Never rejects. */
  private async run(): Promise<void> {
    while (!this.isStopping || this.underWay.size + this.ended.length > 0) {
      const woken = new Promise<void>((resolve) => (this.wake = resolve));
      const rested = sleep(ROUND_MS);
      try {
        await this.round();
        if (this.isFailing) this.parts.log.info({}, 'delivering webhooks works again');
        this.isFailing = false;
      } catch (error) {
        if (!this.isFailing) this.parts.log.warn({ err: error }, 'delivering webhooks failed, retrying');
        this.isFailing = true;
        // What has ended is not known then, and is repeated after its lease.
        if (this.isStopping) return;
        await sleep(POLL_MS);
      }
      await rested;
      await woken;
    }
  }

  private async round(): Promise<void> {
    await this.acknowledge();
    if (this.isStopping) return;
    const { deliveries, dropped, failed } = await this.parts.queue.claim(this.nextClaim());
    this.parts.observe('dropped', dropped);
    this.parts.observe('failed', failed);
    for (const delivery of deliveries) {
      void this.attempt(delivery);
      // To begin one takes up to 0.3 ms: requests are served in between.
      await nextTick();
    }
    // There may be more that are not attempted.
    if (dropped + failed > 0) this.wake();
  }

  private nextClaim(): ClaimRequest {
    const held = new Map<WebhookId, number>();
    const taken = { fast: 0, slow: 0 };
    for (const [{ webhookId }, priorityClass] of this.underWay) {
      held.set(webhookId, (held.get(webhookId) ?? 0) + 1);
      taken[priorityClass]++;
    }
    const roomOf = (each: PriorityClass): number => Math.max(0, PER_CLASS - taken[each]);
    const { leaseMs = LEASE_MS } = this.parts;
    return { leaseMs, held, perEndpoint: PER_ENDPOINT, room: { fast: roomOf('fast'), slow: roomOf('slow') } };
  }

  /** Never rejects. */
  private async attempt(delivery: ClaimedDelivery): Promise<void> {
    this.underWay.set(delivery, delivery.priorityClass);
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      this.underWay.set(delivery, 'slow');
      this.wake();
    }, SLOW_AFTER_MS);
    try {
      const outcome = await this.send(delivery);
      this.ended.push({ delivery, outcome, isSlow, step: stepAfter(delivery, outcome, Math.random()) });
    } catch (error) {
      clearTimeout(timer);
      await this.putOff(delivery, error);
    } finally {
      clearTimeout(timer);
      this.underWay.delete(delivery);
      this.wake();
    }
  }

  private send(delivery: ClaimedDelivery): Promise<AttemptOutcome> {
    const { url, messageId: id, body, sealedSecrets } = delivery;
    const timestamp = Math.floor(Date.now() / 1_000);
    const secrets = sealedSecrets.map((sealed) => this.parts.sealer.open(sealed));
    return this.parts.sender.send({ url, body, headers: signedHeaders({ id, timestamp, body }, secrets) });
  }

  /** No attempt is counted: it was aborted, or its secret cannot be opened, for which the endpoint is not to blame. */
  private async putOff(delivery: ClaimedDelivery, error: unknown): Promise<void> {
    const isUnsigned = error instanceof SecretNotOpenedError;
    const { webhookId } = delivery;
    if (isUnsigned) this.parts.log.warn({ err: error, webhookId }, 'webhook not signed, retrying later');
    // What cannot be released is due when its lease ends.
    await this.parts.queue.release([delivery], isUnsigned ? UNSIGNED_DELAY_MS : 0).catch(() => undefined);
  }

  private async acknowledge(): Promise<void> {
    const ended = [...this.ended];
    if (ended.length === 0) return;
    const changes = await this.parts.queue.acknowledge(ended);
    this.ended = this.ended.slice(ended.length);
    for (const { step } of ended) this.parts.observe(step.status === 'pending' ? 'retried' : step.status, 1);
    for (const change of changes) this.report(change, ended);
  }

  /** @param attempts that have caused the change */
  private report({ webhookId, change, reason }: EndpointChange, attempts: readonly EndedAttempt[]): void {
    const { log } = this.parts;
    if (change === 'disabled') log.info({ webhookId, reason }, 'webhook disabled');
    else if (change === 'well') log.info({ webhookId }, 'webhook works again');
    else {
      const failure = attempts.find(
        ({ delivery, outcome }) => delivery.webhookId === webhookId && !outcome.isDelivered,
      )?.outcome;
      log.warn(
        { webhookId, error: failure?.error, responseStatus: failure?.responseStatus },
        'webhook failing',
      );
    }
  }
}
