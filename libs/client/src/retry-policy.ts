import { ApiError, isApiError, type PetStoreError, UnexpectedResponseError } from './errors.js';
import { LONGEST_TIMER_MS } from './pause.js';

/** First step of the exponential back-off, and its largest, in milliseconds. */
const FIRST_STEP_MS = 250;
const LARGEST_STEP_MS = 20_000;

/** Temporary failures after which the outcome is unknown; after 429 nothing was executed. */
const UNCERTAIN: ReadonlySet<number> = new Set([502, 503, 504]);

/** Decides whether a request is sent again, and after how long. */
export class RetryPolicy {
  constructor(
    private readonly maxRetries: number,
    /** A longer `Retry-After` is an error, not a wait. */
    private readonly maxWaitMs: number,
    /** From 0 up to 1. */
    private readonly random: () => number = Math.random,
  ) {}

  /**
   * @param retry how many times the request was sent again so far
   * @param repeatable whether carrying it out twice does no harm
   * @returns milliseconds to wait before sending it again; `undefined` to give up
   */
  waitBefore(retry: number, failure: PetStoreError, repeatable: boolean): number | undefined {
    if (retry >= this.maxRetries || !mayTryAgain(failure, repeatable)) return undefined;
    const retryAfterMs = retryAfterOf(failure) * 1000;
    // A timer cannot wait longer.
    if (retryAfterMs > Math.min(this.maxWaitMs, LONGEST_TIMER_MS)) return undefined;
    const backOffMs = this.backOff(retry);
    // Alone on its key a client is admitted after exactly that time; refused again, it is not alone.
    return retry === 0 ? Math.max(retryAfterMs, backOffMs) : retryAfterMs + backOffMs;
  }

  /** Full jitter: many clients that fail together do not come back together. */
  private backOff(retry: number): number {
    return Math.round(this.random() * Math.min(LARGEST_STEP_MS, FIRST_STEP_MS * 2 ** retry));
  }
}

function mayTryAgain(failure: PetStoreError, repeatable: boolean): boolean {
  if (statusOf(failure) === 429) return true;
  return repeatable && (mayHaveActed(failure) || isApiError(failure, 'idempotency_in_progress'));
}

/** Whether a request may have been carried out although its attempt failed. */
export function mayHaveActed(failure: PetStoreError): boolean {
  const status = statusOf(failure);
  return status === undefined || UNCERTAIN.has(status);
}

/** Seconds of `Retry-After`, from the service or a proxy. */
function retryAfterOf(failure: PetStoreError): number {
  if (failure instanceof ApiError) return failure.details.retryAfter ?? 0;
  return failure instanceof UnexpectedResponseError ? (failure.retryAfter ?? 0) : 0;
}

/** `undefined` when there was no response. */
function statusOf(failure: PetStoreError): number | undefined {
  if (failure instanceof ApiError || failure instanceof UnexpectedResponseError) return failure.status;
  return undefined;
}
