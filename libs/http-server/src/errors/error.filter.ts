import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Inject } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { contextOf, REQUEST_OBSERVER, type RequestObserver } from '../context/request-context.js';
import { JsonResponse } from '../responses/responses.js';
import { ApiError } from './api-error.js';
import { ERROR_CODE, HTTP_ERRORS, inCatalogueOrder } from './http.errors.js';

/** Injection token of an {@link ErrorMapper}. */
export const ERROR_MAPPER = Symbol('ErrorMapper');

/** What the app knows of errors. */
export interface ErrorMapper {
  /** The error for an exception of the app's own layers; `undefined` for one it does not know. */
  readonly toApiError: (exception: unknown) => ApiError | undefined;
  /**
   * Where the docs explain the errors with this code: the target of the link with `rel="help"` (RFC 8288) that every
   * response with an error carries.
   */
  readonly helpOf: (code: string) => string;
}

/** Milliseconds between two lines with the reason for a 503; the requests' own lines are all there. */
const BETWEEN_REASONS_MS = 1_000;

/** Turns every failure of a request into a response of one form (docs/contract.md, "Errors"). */
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
    if (status === 503 ? this.isTimeForReason() : status >= 500)
      this.observer.failed({ requestId: context?.id, code: error.code, err: error.cause ?? exception });
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
    // Nest wraps what a middleware throws with a status.
    const isWrapped = exception instanceof HttpException && isFromFramework(exception, request);
    const translated = this.errors.toApiError(isWrapped ? exception.cause : exception);
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

/** One error for each status; of several the one for what no other describes. */
const BY_STATUS = new Map(inCatalogueOrder(Object.values(HTTP_ERRORS)).map((error) => [error.status, error]));

/** Seconds after which a client may try again when a handler says no more. */
const RETRY_AFTER = '1';

/**
 * The error of the contract for an exception of Nest. One that a handler throws keeps its status and its message, with the
 * code that {@link HTTP_ERRORS} has for the status. A 409 names its own code:
 * `new ConflictException({ code: 'name_taken', message: '...' })`. Any other status is a fault of the handler, and a 500.
 */
function fromNestException(exception: HttpException, request: IncomingMessage): ApiError {
  const status = exception.getStatus();
  const definition = BY_STATUS.get(status);
  if (isFromFramework(exception, request))
    return new ApiError(status < 500 ? (definition ?? 'bad_request') : 'internal_error', {
      cause: exception,
    });
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
