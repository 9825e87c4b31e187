import type { RateLimitErrorCode, RateLimitResult, WindowStatus } from '../rate-limit-result.js';
import type { RateLimiter } from '../rate-limiter.js';
import { DAY, MINUTE, type RateLimits, type RateLimitSubject, type RateLimitSubjects } from '../subject.js';

const STATUS = 429;

const MESSAGES: Readonly<Record<RateLimitErrorCode, string>> = {
  rate_limit_exceeded: 'Too many requests. Try again after the time in Retry-After.',
  api_key_temporarily_banned: 'Banned for going on after refusals. Try again after the time in Retry-After.',
};

/** The body of a refusal, in each framework. */
export interface RateLimitExceededBody {
  readonly code: RateLimitErrorCode;
  readonly message: string;
  readonly status: 429;
}

/**
 * A request was refused: status 429. Its header fields have been set before it is thrown. Without a stack: it is no
 * fault of the program, and a flood of refusals stays cheap.
 */
export class RateLimitExceededError extends Error {
  override readonly name = 'RateLimitExceededError';
  readonly status = STATUS;
  /** What Fastify and others look for. */
  readonly statusCode = STATUS;
  readonly expose = true;
  readonly code: RateLimitErrorCode;
  readonly result: RateLimitResult;

  constructor(result: RateLimitResult) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    const code = result.refusal ?? 'rate_limit_exceeded';
    super(MESSAGES[code]);
    Error.stackTraceLimit = stackTraceLimit;
    this.result = result;
    this.code = code;
  }

  /** As an `HttpException` of Nest, which it is once `@petstore/rate-limit/nest` is loaded. */
  getStatus(): number {
    return STATUS;
  }

  /** The body of the response. */
  getResponse(): RateLimitExceededBody {
    return { code: this.code, message: this.message, status: STATUS };
  }
}

/** The part of a response that gets header fields. */
export interface HeaderTarget {
  setHeader(name: string, value: string | number): unknown;
}

/** Limits HTTP requests, and puts the state of the limit on the responses. */
export class HttpRateLimiter {
  constructor(private readonly limiter: RateLimiter) {}

  /**
   * Lets one request consume, and sets the header fields of its response, whatever that will be.
   *
   * @throws RateLimitExceededError when the request is refused.
   */
  async consume(response: HeaderTarget, subjects: RateLimitSubjects): Promise<void> {
    const result = await this.limiter.consume(subjects);
    setRateLimitHeaders(response, result);
    if (!result.admitted) throw new RateLimitExceededError(result);
  }

  /** Sets the header fields of a response to what this process knows, without counting and without a call. */
  peek(response: HeaderTarget, subject: RateLimitSubject): void {
    setRateLimitHeaders(response, this.limiter.peek(subject));
  }
}

/**
 * Writes what a result means for the client: the `X-RateLimit-*` trio and `Retry-After` (specification,
 * section 8), and `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers) for both windows.
 */
export function setRateLimitHeaders(response: HeaderTarget, result: RateLimitResult): void {
  const { subject, tightestWindow, minute, day } = result;
  response.setHeader('X-RateLimit-Limit', tightestWindow.limit);
  response.setHeader('X-RateLimit-Remaining', tightestWindow.remaining);
  response.setHeader('X-RateLimit-Reset', Math.ceil((result.now + tightestWindow.resetMs) / 1000));
  response.setHeader('RateLimit-Policy', policyOf(subject.limits));
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

function policyOf({ perMinute, perDay }: RateLimits): string {
  return `"${MINUTE.name}";q=${perMinute};w=${MINUTE.seconds}, "${DAY.name}";q=${perDay};w=${DAY.seconds}`;
}
