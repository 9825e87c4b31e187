import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Observable } from 'rxjs';
import type { RateLimitSubject } from '../policy/rate-limit-subject.js';
import type { HttpRateLimiter } from '../http/http-rate-limiter.js';

/** Whom a request is charged to; `undefined` for a request that is not metered. */
export type SubjectOf<Request extends IncomingMessage = IncomingMessage> = (
  request: Request,
) => RateLimitSubject | undefined;

/** The one place where a request with an accepted key is charged: before its body is read, and once. */
export class RateLimitInterceptor<
  Request extends IncomingMessage = IncomingMessage,
> implements NestInterceptor {
  private readonly meter: HttpRateLimiter;
  private readonly subjectOf: SubjectOf<Request>;

  constructor(meter: HttpRateLimiter, subjectOf: SubjectOf<Request>) {
    this.meter = meter;
    this.subjectOf = subjectOf;
  }

  /**
   * Charges a request; `undefined` for one that is not metered.
   *
   * @throws RateLimitExceededError (as a rejection) when it is refused
   */
  admit(context: ExecutionContext): Promise<void> | undefined {
    const http = context.switchToHttp();
    const subject = this.subjectOf(http.getRequest<Request>());
    return subject && this.meter.charge(http.getResponse<ServerResponse>(), subject);
  }

  /** Goes on to the handler, or rejects with `RateLimitExceededError`. */
  intercept(
    context: ExecutionContext,
    next: CallHandler,
  ): Observable<unknown> | Promise<Observable<unknown>> {
    return this.admit(context)?.then(() => next.handle()) ?? next.handle();
  }
}
