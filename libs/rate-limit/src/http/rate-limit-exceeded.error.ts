import type { RateLimitResult, RateLimitErrorCode } from '../limiter/rate-limit-result.js';

/**
 * A request was refused: status 429. Its headers have been set by the time it is thrown.
 *
 * It carries no stack: it is no fault of the program, and a flood of refusals must stay cheap.
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
