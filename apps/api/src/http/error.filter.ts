import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isNativeError } from 'node:util/types';
import { ApiKeyRefused, KeyStoreUnavailable } from '@petstore/api-key';
import { Answer, ApiError, requestIdOf } from '@petstore/http-kernel';
import { noteErrorCode, type ReadinessReport } from '@petstore/observability';
import { PetStoreUnavailable } from '@petstore/pet-domain';
import { RateLimitExceededError } from '@petstore/rate-limit';
import { RateLimitExceededException } from '@petstore/rate-limit/nest';
import type { Log } from '../log.js';
import { deferredErrorOf } from './request-target.js';

/** Seconds after which a client may try again when a server behind this one is away. */
const UNAVAILABLE_RETRY_AFTER = '1';

/** Milliseconds between two lines with the reason for a 503; the requests' own lines are all there. */
const BETWEEN_REASONS = 1_000;

/** Where everything that fails on a request's way ends: one error, one form (specification, section 7). */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  /** When the next reason for a 503 is logged, on the clock of `performance.now()`. */
  private nextReasonAt = 0;

  constructor(private readonly log: Log) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const error = toApiError(exception, request);
    noteErrorCode(request, error.code);
    if (error.status === 503 ? this.isTimeForReason() : error.status >= 500) {
      const reason = reasonOf(error.cause ?? exception);
      this.log.error({ requestId: requestIdOf(request), code: error.code, ...reason }, 'request failed');
    }
    if (response.headersSent) {
      // Half an answer cannot be taken back; a cut connection at least cannot be mistaken for a whole one.
      response.destroy();
      return;
    }
    Answer.error(error).send(request, response);
  }

  /** A server that is away fails all requests in the same way: one reason in a while says it. */
  private isTimeForReason(): boolean {
    const now = performance.now();
    if (now < this.nextReasonAt) return false;
    this.nextReasonAt = now + BETWEEN_REASONS;
    return true;
  }
}

/** Readiness says by words, not by an error, why it is not given. */
function reasonOf(cause: unknown): { readonly err: unknown } | { readonly reasons: readonly string[] } {
  const { reasons } = cause as Partial<ReadinessReport>;
  return isNativeError(cause) || reasons === undefined ? { err: cause } : { reasons };
}

/** What the layers below say, in the contract's terms. */
function toApiError(exception: unknown, request: Request): ApiError {
  if (exception instanceof ApiError) return exception;
  if (exception instanceof ApiKeyRefused) {
    return new ApiError(exception.code, { headers: { 'WWW-Authenticate': exception.challenge } });
  }
  if (exception instanceof RateLimitExceededError || exception instanceof RateLimitExceededException) {
    return new ApiError(exception.code);
  }
  if (exception instanceof PetStoreUnavailable || exception instanceof KeyStoreUnavailable) {
    return new ApiError('service_unavailable', {
      headers: { 'Retry-After': UNAVAILABLE_RETRY_AFTER },
      cause: exception,
    });
  }
  if (exception instanceof HttpException) return fromFramework(exception, request);
  return new ApiError('internal_error', { cause: exception });
}

/** Nest and Express refuse only what matched no route, or what could not be routed. */
function fromFramework(exception: HttpException, request: Request): ApiError {
  const status = exception.getStatus();
  if (status === 404) return deferredErrorOf(request) ?? new ApiError('route_not_found');
  if (status >= 400 && status < 500) return new ApiError('bad_request', { cause: exception });
  return new ApiError('internal_error', { cause: exception });
}
