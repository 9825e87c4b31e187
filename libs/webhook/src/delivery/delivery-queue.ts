import type { WebhookId } from '../endpoint/webhook-id.js';
import type { AttemptOutcome } from '../sending/attempt-outcome.js';
import type { DeliveryStep } from './retry-schedule.js';
import type { DeliveryId } from './delivery-id.js';

/** A delivery that is one sender's to attempt until its lease ends. */
export interface ClaimedDelivery {
  readonly id: DeliveryId;
  readonly webhookId: WebhookId;
  /** Header field `webhook-id`: the same for all attempts and endpoints. */
  readonly messageId: string;
  readonly isTest: boolean;
  /** 1 for the first one; the claim has counted it. */
  readonly attempt: number;
  /** When the attempt before began, as the store writes it; for giving it back. */
  readonly attemptedBefore: string | undefined;
  /** Where to send it. */
  readonly url: string;
  /** Newest first, see `SecretSealer`. */
  readonly sealedSecrets: readonly Uint8Array[];
  /** What to send, in UTF-8. */
  readonly body: string;
}

export interface ClaimRequest {
  /** Most deliveries. */
  readonly most: number;
  /** How long they are this sender's, in milliseconds: others may repeat them then. */
  readonly leaseMs: number;
  /** Most deliveries of an endpoint, where it is not {@link otherPlaces}. */
  readonly places: ReadonlyMap<WebhookId, number>;
  /** How many this sender has already, for endpoints of {@link places}; none when left out. */
  readonly held: ReadonlyMap<WebhookId, number>;
  /** Most deliveries of each endpoint that is not among {@link places}. */
  readonly otherPlaces: number;
  /** Most deliveries of all these together. */
  readonly mostOthers: number;
}

export interface Claim {
  readonly deliveries: readonly ClaimedDelivery[];
  /** Of those that were due, how many are not to be attempted any more: now they are settled. */
  readonly dropped: number;
  readonly failed: number;
  /** Whether more may be due for endpoints that have places left. */
  readonly hasMore: boolean;
}

/** An attempt that has ended. */
export interface SettledAttempt {
  readonly delivery: ClaimedDelivery;
  readonly outcome: AttemptOutcome;
  readonly step: DeliveryStep;
}

/** What was disabled because of attempts. */
export interface DisabledEndpoint {
  readonly webhookId: WebhookId;
  readonly reason: 'failing' | 'gone';
}

/**
 * The deliveries that are due. A port; an adapter implements it. Any number of senders may use it at the same time.
 * Every method may reject with `StoreUnavailableError`, and has then done nothing or, if the response was lost, all.
 */
export interface DeliveryQueue {
  /**
   * Takes what is due, oldest first for each endpoint, and counts an attempt. Of endpoints, those with the fewest
   * deliveries taken and held come first. What the key of an endpoint may no
   * longer receive is dropped; what can no longer be sent has failed: its endpoint is disabled or its event gone.
   */
  claim(request: ClaimRequest): Promise<Claim>;
  /**
   * Writes down what has come of attempts. Ignores those whose delivery has been settled or claimed by others since;
   * that one was delivered is written down all the same while it is pending.
   *
   * @returns the endpoints that are disabled because of them
   */
  settle(attempts: readonly SettledAttempt[]): Promise<readonly DisabledEndpoint[]>;
  /** Gives deliveries back that were not attempted: they are due after `delayMs`, and the attempt does not count. */
  release(deliveries: readonly ClaimedDelivery[], delayMs?: number): Promise<void>;
  /** How many are due, counted up to a bound. */
  due(): Promise<number>;
}
