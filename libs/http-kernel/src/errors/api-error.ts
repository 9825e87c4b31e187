import { ERROR_CATALOGUE, type ErrorCode } from './http.errors.js';

/** Header fields that an answer carries beside the usual ones. */
export type AnswerHeaders = Readonly<Record<string, string>>;

/** What may be said beyond the code. */
export interface ApiErrorDetails {
  /** More exact words for a person; never a stack, SQL, a key or the parser's own words. */
  readonly message?: string;
  readonly headers?: AnswerHeaders;
  /** What led here; for the log only. */
  readonly cause?: unknown;
}

/**
 * A refusal in the contract's terms. Whatever layer throws it, the caller gets its code, message and
 * status as an Error body (specification, section 7).
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly headers: AnswerHeaders | undefined;

  constructor(
    readonly code: ErrorCode,
    { message, headers, cause }: ApiErrorDetails = {},
  ) {
    const { stackTraceLimit } = Error;
    // A refusal is no fault of the program; collecting its stack would cost more than answering it.
    if (ERROR_CATALOGUE[code].status < 500) Error.stackTraceLimit = 0;
    super(message ?? ERROR_CATALOGUE[code].message, { cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.status = ERROR_CATALOGUE[code].status;
    this.headers = headers;
  }
}

/** The Error body: exactly `code`, `message` and `status` (specification, section 2, Error). */
export function errorBody(code: ErrorCode, message: string = ERROR_CATALOGUE[code].message): string {
  return JSON.stringify({ code, message, status: ERROR_CATALOGUE[code].status });
}
