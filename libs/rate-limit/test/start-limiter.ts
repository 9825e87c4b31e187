import { waitFor } from '@petstore/testing';
import { createRateLimiter, type RateLimiter, type RateLimiterOptions } from '../src/index.js';
import { ChangeLog } from './change-log.js';

/** Only what is decided counts in a test on a clock of its own, on however busy a machine. */
export const PATIENT = { responseTimeoutMs: 10_000, retryAfterMs: 200 };

/** Reasons when no server has said anything. */
const SILENCE = /^(?:no response|connection closed)/;

/** A limiter, and what it has reported. */
export interface StartedLimiter {
  readonly limiter: RateLimiter;
  readonly changes: ChangeLog;
}

/**
 * A limiter whose Redis has responded at the start, be it with a refusal: a start waits for a connection for a second,
 * whatever the limiter's timeouts are, and a busy machine may keep Redis from running for longer.
 */
export function startLimiter(options: Omit<RateLimiterOptions, 'observer'>): Promise<StartedLimiter> {
  return waitFor(async () => {
    const changes = new ChangeLog();
    const limiter = await createRateLimiter({ ...options, observer: changes });
    if (!changes.reasons.some((reason) => SILENCE.test(reason))) return { limiter, changes };
    await limiter.close();
    return undefined;
  });
}
