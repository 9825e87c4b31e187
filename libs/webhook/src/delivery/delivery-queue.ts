import { EventNotifier } from '@petstore/event-feed';
import type { EndpointChange, WebhookId } from '../endpoint/webhook.js';
import type { AttemptOutcome } from '../sending/attempt-outcome.js';
import type { DeliveryId } from './delivery.js';
import type { DeliveryStep } from './retry-schedule.js';

/** An endpoint is slow when its last attempt took longer than a second. Each class has half of the attempts. */
export type PriorityClass = 'fast' | 'slow';

/** A delivery that one worker may attempt until its lease ends. */
export interface ClaimedDelivery {
  readonly id: DeliveryId;
  readonly webhookId: WebhookId;
  /** Of its endpoint when it was claimed. */
  readonly priorityClass: PriorityClass;
  /** Header field `webhook-id`: the same for all attempts and endpoints. */
  readonly messageId: string;
  readonly isTest: boolean;
  /** 1 for the first one; the claim has counted it. */
  readonly attempt: number;
  /** When the attempt before began, as the store writes it; for a release. */
  readonly attemptedBefore: string | null;
  readonly url: string;
  /** Newest first, see `SecretSealer`. */
  readonly sealedSecrets: readonly Uint8Array[];
  /** What to send, in UTF-8. */
  readonly body: string;
}

export interface ClaimRequest {
  /** Duration of the lease in milliseconds: then other workers may repeat the deliveries. */
  readonly leaseMs: number;
  /** Deliveries that this worker has already, by endpoint. */
  readonly held: ReadonlyMap<WebhookId, number>;
  /** Most deliveries of one endpoint, those that are held included. */
  readonly perEndpoint: number;
  /** Most deliveries of each class. */
  readonly room: Readonly<Record<PriorityClass, number>>;
}

export interface Claim {
  readonly deliveries: readonly ClaimedDelivery[];
  /** Due deliveries that were ended without an attempt. */
  readonly dropped: number;
  readonly failed: number;
}

/** An attempt that has ended. */
export interface EndedAttempt {
  readonly delivery: ClaimedDelivery;
  readonly outcome: AttemptOutcome;
  /** Whether it has taken long. */
  readonly isSlow: boolean;
  readonly step: DeliveryStep;
}

/** What there is to deliver. */
export interface DeliveryBacklog {
  /** Deliveries that are due and not under way; counted up to a bound. */
  readonly due: number;
  /** Enabled endpoints whose attempts have all failed for more than {@link FAILING_AFTER_MINUTES}. */
  readonly failingEndpoints: number;
  /** Since the oldest delivery that is pending was queued, in seconds; 0 when there is none. */
  readonly oldestSeconds: number;
}

/** An endpoint that fails for so long is counted. */
export const FAILING_AFTER_MINUTES = 15;

/**
 * Port: the queue of deliveries. Any number of workers may use it at the same time. Every method may reject with
 * `StoreUnavailableError`, and has then done nothing or, if the response was lost, all.
 */
export interface DeliveryQueue {
  /**
   * Claims due deliveries and counts an attempt: of endpoints with the fewest under way first, then what has been due for longest. Drops what the key of an endpoint may no
   * longer receive; fails what can no longer be sent, because the endpoint is disabled or the event gone.
   */
  claim(request: ClaimRequest): Promise<Claim>;
  /**
   * Stores the outcomes of attempts. Ignores those whose delivery has been acknowledged or claimed by another worker since,
   * except that a success counts while the delivery is pending.
   *
   * @returns what they have changed of endpoints
   */
  acknowledge(attempts: readonly EndedAttempt[]): Promise<readonly EndpointChange[]>;
  /** Returns deliveries that were not attempted: they are due after `delayMs`, and the attempt does not count. */
  release(deliveries: readonly ClaimedDelivery[], delayMs?: number): Promise<void>;
}

/** Notifies the deliverer of this process that deliveries are due. It looks by itself, too. A class of its own to inject. */
export class DeliveryNotifier extends EventNotifier {}
