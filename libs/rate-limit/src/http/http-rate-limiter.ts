import type { RateLimiter } from '../limiter/rate-limiter.js';
import type { RateLimitResult, WindowStatus } from '../limiter/rate-limit-result.js';
import type { PlanLimits } from '../policy/plan.js';
import type { RateLimitSubject } from '../policy/rate-limit-subject.js';
import { DAY, MINUTE } from '../policy/rate-limit-window.js';
import { RateLimitExceededError } from './rate-limit-exceeded.error.js';

/** As much of a response as gets header fields. */
export interface HeaderTarget {
  setHeader(name: string, value: string | number): unknown;
}

/** Charges HTTP requests, and puts the state of the limit on the responses. */
export class HttpRateLimiter {
  constructor(private readonly limiter: RateLimiter) {}

  /**
   * Charges one request to `subject` and sets the headers of its response, whatever that will be.
   *
   * @throws RateLimitExceededError when the request is refused.
   */
  async charge(response: HeaderTarget, subject: RateLimitSubject): Promise<void> {
    const result = await this.limiter.charge(subject);
    setRateLimitHeaders(response, result);
    if (!result.admitted) throw new RateLimitExceededError(result);
  }

  /** Sets the headers of a response without charging or asking anything, as far as this process knows. */
  recall(response: HeaderTarget, subject: RateLimitSubject): void {
    setRateLimitHeaders(response, this.limiter.recall(subject));
  }

  /** The same with what Redis says: what a request would get now. */
  async describe(response: HeaderTarget, subject: RateLimitSubject): Promise<void> {
    setRateLimitHeaders(response, await this.limiter.peek(subject));
  }
}

/**
 * Writes what a result means for the client: the `X-RateLimit-*` trio and `Retry-After` (specification,
 * section 8), and `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers) for both windows.
 */
export function setRateLimitHeaders(response: HeaderTarget, result: RateLimitResult): void {
  const { limits, tightestWindow, minute, day } = result;
  response.setHeader('X-RateLimit-Limit', tightestWindow.limit);
  response.setHeader('X-RateLimit-Remaining', tightestWindow.remaining);
  response.setHeader('X-RateLimit-Reset', Math.ceil((result.now + tightestWindow.resetMs) / 1000));
  response.setHeader('RateLimit-Policy', policyOf(limits));
  response.setHeader('RateLimit', `${itemOf(minute)}, ${itemOf(day)}`);
  if (!result.admitted) response.setHeader('Retry-After', retryAfter(result));
}

/** Whole seconds, rounded up, at least 1 (RFC 9110, section 10.2.3). */
function retryAfter(result: RateLimitResult): number {
  return Math.max(1, Math.ceil(result.retryAfterMs / 1000));
}

function itemOf({ window, remaining, resetMs }: WindowStatus): string {
  return `"${window.name}";r=${remaining};t=${Math.ceil(resetMs / 1000)}`;
}

function policyOf({ perMinute, perDay }: PlanLimits): string {
  return `"${MINUTE.name}";q=${perMinute};w=${MINUTE.seconds}, "${DAY.name}";q=${perDay};w=${DAY.seconds}`;
}
