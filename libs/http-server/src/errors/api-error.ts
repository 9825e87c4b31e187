import { HttpException } from '@nestjs/common';
import type { ResponseHeaders } from '../headers/response-headers.js';
import type { ErrorDefinition } from './define-errors.js';
import { HTTP_ERRORS, type HttpErrorCode } from './http.errors.js';

/** What may be said beyond the code. */
export interface ApiErrorDetails {
  /** More exact words for a person; never a stack, SQL, a key or the parser's own words. */
  readonly message?: string;
  readonly headers?: ResponseHeaders;
  /** What led here; for the log only. */
  readonly cause?: unknown;
}

/**
 * A refusal in the contract's terms. Whatever layer throws it, the caller gets its code, message and
 * status as an Error body (specification, section 7).
 */
export class ApiError extends HttpException {
  readonly code: string;
  readonly headers: ResponseHeaders | undefined;

  /** @param error what a feature has defined, or the code of an error of any HTTP API */
  constructor(error: ErrorDefinition | HttpErrorCode, { message, headers, cause }: ApiErrorDetails = {}) {
    const { code, status, message: usual } = definitionOf(error);
    const { stackTraceLimit } = Error;
    // A refusal is no fault of the program; collecting its stack would cost more than the response.
    if (status < 500) Error.stackTraceLimit = 0;
    super(message ?? usual, status, { cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.headers = headers;
  }
}

/** What the Error body is made of. */
type ErrorContent = Pick<ErrorDefinition, 'code' | 'message' | 'status'>;

/** The Error body: exactly `code`, `message` and `status` (specification, section 2, Error). */
export function errorBody(error: ErrorContent | HttpErrorCode, message?: string): string {
  const { code, message: usual, status } = typeof error === 'string' ? HTTP_ERRORS[error] : error;
  return JSON.stringify({ code, message: message ?? usual, status });
}

function definitionOf(error: ErrorDefinition | HttpErrorCode): ErrorDefinition {
  return typeof error === 'string' ? HTTP_ERRORS[error] : error;
}
