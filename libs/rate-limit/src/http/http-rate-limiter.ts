import type { RateLimitErrorCode, RateLimitResult, WindowStatus } from '../limiter/rate-limit-result.js';
import type { RateLimiter } from '../limiter/rate-limiter.js';
import { DAY, MINUTE, type PlanLimits, type RateLimitSubject } from '../policy.js';

/**
 * A request was refused: status 429. Its header fields have been set before it is thrown. Without a stack: it is no
 * fault of the program, and a flood of refusals must stay cheap.
 */
export class RateLimitExceededError extends Error {
  override readonly name = 'RateLimitExceededError';
  readonly status = 429;
  /** What Nest, Fastify and others look for. */
  readonly statusCode = 429;
  readonly code: RateLimitErrorCode;
  readonly result: RateLimitResult;

  constructor(result: RateLimitResult) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super('The rate limit is exceeded.');
    Error.stackTraceLimit = stackTraceLimit;
    this.result = result;
    this.code = result.refusal ?? 'rate_limit_exceeded';
  }
}

/** The part of a response that gets header fields. */
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

  /** Sets the headers of a response from this process' counters, without charging and without a call to Redis. */
  recall(response: HeaderTarget, subject: RateLimitSubject): void {
    setRateLimitHeaders(response, this.limiter.recall(subject));
  }

  /** Sets the headers of a response to what a request would get now, by Redis' counters. */
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
