import type { HttpException } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { ApiError } from './api-error.js';
import { ERROR_CODE, inCatalogueOrder } from './define-errors.js';
import { HTTP_ERRORS } from './http.errors.js';

/** One error for each status; of several the one for what no other describes. */
const BY_STATUS = new Map(inCatalogueOrder(Object.values(HTTP_ERRORS)).map((error) => [error.status, error]));

/** Seconds after which a client may try again when a handler says no more. */
const RETRY_AFTER = '1';

/**
 * The error of the contract for an exception of Nest. One that a handler throws keeps its status and its message, with the
 * code that {@link HTTP_ERRORS} has for the status. A 409 names its own code:
 * `new ConflictException({ code: 'name_taken', message: '...' })`. Any other status is a fault of the handler, and a 500.
 */
export function fromNestException(exception: HttpException, request: IncomingMessage): ApiError {
  const status = exception.getStatus();
  const definition = BY_STATUS.get(status);
  if (isFromFramework(exception, request)) {
    if (status === 404 && definition !== undefined) return new ApiError(definition);
    return new ApiError(status < 500 ? 'bad_request' : 'internal_error', { cause: exception });
  }
  const message = messageOf(exception);
  if (status === 409) {
    const { code } = Object(exception.getResponse()) as { readonly code?: unknown };
    if (typeof code === 'string' && ERROR_CODE.test(code))
      return new ApiError({ code, status, message, when: message }, { cause: exception });
  }
  if (definition === undefined || status === 500) return new ApiError('internal_error', { cause: exception });
  const headers = status === 503 ? { 'Retry-After': RETRY_AFTER } : undefined;
  return new ApiError(definition, { message, cause: exception, ...(headers && { headers }) });
}

/**
 * Whether no handler has thrown it: the router, which repeats the request's target, or Express, whose own error is the
 * cause.
 */
function isFromFramework(exception: HttpException, request: IncomingMessage): boolean {
  const { method, originalUrl, url } = request as IncomingMessage & { readonly originalUrl?: string };
  if (exception.message === `Cannot ${method} ${originalUrl ?? url}`) return true;
  const { status, statusCode } = Object(exception.cause) as { status?: unknown; statusCode?: unknown };
  return typeof (status ?? statusCode) === 'number';
}

/** Nest's pipes give a list. */
function messageOf(exception: HttpException): string {
  const { message } = Object(exception.getResponse()) as { readonly message?: unknown };
  return Array.isArray(message) ? message.join('; ') : exception.message;
}
