import type { AttemptOutcome } from '../sending/attempt-outcome.js';

/** What becomes of a delivery after an attempt. */
export type DeliveryStep =
  | { readonly status: 'delivered' }
  /** The next attempt is due after so many milliseconds. */
  | { readonly status: 'pending'; readonly delayMs: number }
  /** @member isGone the endpoint says that it will never exist again */
  | { readonly status: 'failed'; readonly isGone: boolean };

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * From the failure of an attempt to the next one, in milliseconds (Standard Webhooks 1.0.0, "Deliverability and
 * reliability"): the first one is due at once, so there are ten in 75.6 hours.
 */
const DELAYS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

/** Attempts of one delivery at the most. */
export const MAX_ATTEMPTS = DELAYS_MS.length + 1;
/** In how many hours they are made, rounded up. */
export const ATTEMPTS_HOURS = Math.ceil(DELAYS_MS.reduce((sum, delay) => sum + delay, 0) / HOUR);

/** By how much of itself a delay may be shorter, so that what has failed together does not come back together. */
const JITTER = 0.2;

/** The longest `Retry-After` that is respected, in milliseconds, and the longest delay altogether. */
const MAX_DELAY_MS = 24 * HOUR;

/** Responses whose `Retry-After` counts (RFC 9110, section 10.2.3; RFC 6585, section 4). */
const WAITING_STATUSES: ReadonlySet<number | undefined> = new Set([429, 503]);

const GONE = 410;

/**
 * @param attempt of which delivery, 1 for the first one; a test has one, and nothing follows from it
 * @param random from 0 to less than 1
 */
export function stepAfter(
  { attempt, isTest }: { readonly attempt: number; readonly isTest: boolean },
  outcome: AttemptOutcome,
  random: number,
): DeliveryStep {
  if (outcome.isDelivered) return { status: 'delivered' };
  const isGone = !isTest && outcome.responseStatus === GONE;
  const delayMs = DELAYS_MS[attempt - 1];
  if (isGone || isTest || delayMs === undefined) return { status: 'failed', isGone };
  const planned = delayMs * (1 - JITTER * random);
  const asked = WAITING_STATUSES.has(outcome.responseStatus) ? (outcome.retryAfterMs ?? 0) : 0;
  return { status: 'pending', delayMs: Math.round(Math.max(planned, Math.min(asked, MAX_DELAY_MS))) };
}
