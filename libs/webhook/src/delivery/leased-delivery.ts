import type { ClaimedDelivery, SettledAttempt } from './delivery-queue.js';

/** A claimed delivery, and until when it is this process's. */
export interface LeasedDelivery extends ClaimedDelivery {
  /** On the clock of `performance.now()`. */
  readonly leaseEndsAt: number;
}

/** An attempt that has ended and is to be written down. */
export interface EndedAttempt extends SettledAttempt {
  readonly delivery: LeasedDelivery;
}
