import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Observable } from 'rxjs';
import { HttpRateLimiter } from '../http/http-rate-limiter.js';
import { RateLimitExceededError } from '../http/rate-limit-exceeded.error.js';
import type { SubjectOf } from '../address/address-subject.js';
import { RateLimitExceededException } from './rate-limit-exceeded.exception.js';
import { SUBJECT_OF } from './rate-limit.module-definition.js';

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
