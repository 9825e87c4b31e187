import {
  type CallHandler,
  type ExecutionContext,
  HttpException,
  HttpStatus,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Observable } from 'rxjs';
import { HttpRateLimiter, RateLimitExceededError } from '../http/http-rate-limiter.js';
import type { RateLimitErrorCode, RateLimitResult } from '../limiter/rate-limit-result.js';
import type { SubjectOf } from '../address/client-address.js';

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

/** Injects who is charged for a request: a {@link SubjectOf}. */
export const SUBJECT_OF = Symbol('rate limit: subject of a request');

/**
 * Charges each request once, after the guards and before its handler: for one controller with
 * `@UseInterceptors(RateLimitInterceptor)`, for all as `APP_INTERCEPTOR`.
 */
@Injectable()
export class RateLimitInterceptor implements NestInterceptor {
  constructor(
    @Inject(HttpRateLimiter) private readonly limiter: HttpRateLimiter,
    @Inject(SUBJECT_OF) private readonly subjectOf: SubjectOf,
  ) {}

  /**
   * Charges a request; `undefined` for one that is not limited. For servers that call interceptors without
   * observables.
   *
   * @throws RateLimitExceededError (as a rejection) when it is refused
   */
  admit(context: ExecutionContext): Promise<void> | undefined {
    const [request, response] = context.getArgs<[IncomingMessage, ServerResponse]>();
    const subject = this.subjectOf(request);
    return subject && this.limiter.charge(response, subject);
  }

  /**
   * Goes on to the handler.
   *
   * @throws RateLimitExceededException (as a rejection) when the request is refused
   */
  intercept(
    context: ExecutionContext,
    next: CallHandler,
  ): Observable<unknown> | Promise<Observable<unknown>> {
    const admitted = this.admit(context);
    return admitted === undefined ? next.handle() : admitted.then(() => next.handle(), rethrow);
  }
}

function rethrow(error: unknown): never {
  throw error instanceof RateLimitExceededError ? new RateLimitExceededException(error) : error;
}
