import { HttpException, HttpStatus } from '@nestjs/common';
import type { RateLimitExceededError } from '../http/rate-limit-exceeded.error.js';
import type { RateLimitResult, RateLimitErrorCode } from '../limiter/rate-limit-result.js';

/**
 * A request was refused, in the form in which Nest responds 429 by itself: `{"statusCode", "message", "error"}`. Its
 * header fields have been set by the time it is thrown.
 */
export class RateLimitExceededException extends HttpException {
  readonly code: RateLimitErrorCode;
  readonly result: RateLimitResult;

  constructor(cause: RateLimitExceededError) {
    const statusCode = HttpStatus.TOO_MANY_REQUESTS;
    const { message, code, result } = cause;
    super({ statusCode, message, error: code }, statusCode, { cause });
    this.code = code;
    this.result = result;
  }
}
