import type { RateLimitVerdict, RefusalCode } from '../decision/rate-limit-result.js';

/**
 * A request was refused: status 429. Its headers have been set by the time it is thrown.
 *
 * It carries no stack: it is no fault of the program, and a flood of refusals must stay cheap.
 */
export class RateLimitExceeded extends Error {
  override readonly name = 'RateLimitExceeded';
  readonly status = 429;
  readonly code: RefusalCode;
  readonly verdict: RateLimitVerdict;

  constructor(verdict: RateLimitVerdict) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super('The rate limit is exceeded.');
    Error.stackTraceLimit = stackTraceLimit;
    this.verdict = verdict;
    this.code = verdict.refusal ?? 'rate_limit_exceeded';
  }
}
