import { HttpException } from '@nestjs/common';
import type { ResponseHeaders } from '../headers/headers.js';
import { type ErrorDefinition, HTTP_ERRORS, type HttpErrorCode } from './http.errors.js';

/** Details of an error beside its code. */
export interface ApiErrorDetails {
  /** More exact words for a person; never a stack, SQL, a key or the parser's own words. */
  readonly message?: string;
  readonly headers?: ResponseHeaders;
  /** What led here; for the log only. */
  readonly cause?: unknown;
}

/**
 * An error of the contract. Whatever layer throws it, the caller gets its code, message and status as an Error body
 * (docs/contract.md, "Errors").
 */
export class ApiError extends HttpException {
  readonly code: string;
  readonly headers: ResponseHeaders | undefined;
  /** Its Error body as JSON: written once, since floods are refused with one error. */
  readonly json: string;

  /** @param error what a feature has defined, or the code of an error of any HTTP API */
  constructor(error: ErrorDefinition | HttpErrorCode, { message, headers, cause }: ApiErrorDetails = {}) {
    const { code, status, message: usual } = typeof error === 'string' ? HTTP_ERRORS[error] : error;
    const { stackTraceLimit } = Error;
    // A refusal is no fault of the program; collecting its stack would cost more than the response.
    if (status < 500) Error.stackTraceLimit = 0;
    super(message ?? usual, status, { cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.headers = headers;
    this.json = errorBody({ code, message: this.message, status });
  }
}

/** The Error body: exactly `code`, `message` and `status` (docs/contract.md, "Errors"). */
export function errorBody({
  code,
  message,
  status,
}: Pick<ErrorDefinition, 'code' | 'message' | 'status'>): string {
  return JSON.stringify({ code, message, status });
}

/** Mark of errors of unavailable stores; see `StoreUnavailableError` of `libs/pet-domain`. */
const STORE_UNAVAILABLE = Symbol.for('petstore.store-unavailable');

/** Whether an error says that a store (database, keys) is unavailable, whichever lib made it; it becomes a 503. */
export function isStoreUnavailable(error: unknown): error is Error {
  return typeof error === 'object' && error !== null && STORE_UNAVAILABLE in error;
}
