import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Inject } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isNativeError } from 'node:util/types';
import { contextOf } from '../context/request-context.js';
import { REQUEST_OBSERVER, type RequestObserver } from '../context/request-observer.js';
import { JsonResponse } from '../responses/responses.js';
import { ApiError } from './api-error.js';
import { ERROR_MAPPER, type ErrorMapper } from './error-mapper.js';
import { fromNestException } from './nest-exception.js';

/** Milliseconds between two lines with the reason for a 503; the requests' own lines are all there. */
const BETWEEN_REASONS_MS = 1_000;

/** Turns every failure of a request into a response of one form (specification, section 7). */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  /** When the next reason for a 503 is logged, on the clock of `performance.now()`. */
  private nextReasonAt = 0;

  constructor(
    @Inject(ERROR_MAPPER) private readonly errors: ErrorMapper,
    @Inject(REQUEST_OBSERVER) private readonly observer: RequestObserver,
  ) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const [request, response] = host.getArgs<[IncomingMessage, ServerResponse]>();
    const error = this.toApiError(exception, request);
    const context = contextOf(request);
    if (context !== undefined) context.errorCode = error.code;
    const status = error.getStatus();
    if (status === 503 ? this.isTimeForReason() : status >= 500) {
      const reason = reasonOf(error.cause ?? exception);
      this.observer.failed({ requestId: context?.id, code: error.code, ...reason });
    }
    if (response.headersSent) {
      // Half a response cannot be taken back; a cut connection at least cannot be mistaken for a whole one.
      response.destroy();
      return;
    }
    JsonResponse.error(error, this.errors.helpOf(error.code)).send(request, response);
  }

  /** The error of the contract for an exception. */
  private toApiError(exception: unknown, request: IncomingMessage): ApiError {
    if (exception instanceof ApiError) return exception;
    const translated = this.errors.toApiError(exception);
    if (translated !== undefined) return translated;
    if (exception instanceof HttpException) return fromNestException(exception, request);
    return new ApiError('internal_error', { cause: exception });
  }

  /** An unavailable server fails all requests in the same way: one reason in a while is enough. */
  private isTimeForReason(): boolean {
    const now = performance.now();
    if (now < this.nextReasonAt) return false;
    this.nextReasonAt = now + BETWEEN_REASONS_MS;
    return true;
  }
}

/** A readiness refusal has a list of reasons as its cause, not an error. */
function reasonOf(cause: unknown): { readonly err: unknown } | { readonly reasons: unknown } {
  const { reasons } = Object(cause) as { readonly reasons?: unknown };
  return isNativeError(cause) || !Array.isArray(reasons) ? { err: cause } : { reasons };
}
