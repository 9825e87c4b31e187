/** First step of the exponential back-off, and its largest, in milliseconds. */
const FIRST_STEP = 250;
const LARGEST_STEP = 20_000;

/** Temporary failures. Of these only after 429 it is certain that nothing was done. */
const TEMPORARY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** What the retry policy needs to know of a failed attempt. */
export interface FailedAttempt {
  /** `undefined` when there was no response. */
  readonly status: number | undefined;
  /** The `code` of an error of the contract. */
  readonly code: string | undefined;
  /** Milliseconds that the response asked to wait. */
  readonly retryAfter: number | undefined;
}

/** Decides whether a request is sent again, and after how long. */
export class RetryPolicy {
  constructor(
    private readonly maxRetries: number,
    /** Milliseconds; a longer `Retry-After` is an error, not a wait. */
    private readonly maxWait: number,
    /** From 0 up to 1. */
    private readonly random: () => number = Math.random,
  ) {}

  /**
   * @param retry how many times the request was sent again so far
   * @param repeatable whether carrying it out twice does no harm
   * @returns milliseconds to wait before sending it again; `undefined` to give up
   */
  waitBefore(retry: number, attempt: FailedAttempt, repeatable: boolean): number | undefined {
    if (retry >= this.maxRetries || !mayTryAgain(attempt, repeatable)) return undefined;
    const { retryAfter } = attempt;
    if (retryAfter === undefined) return this.backOff(retry);
    if (retryAfter > this.maxWait) return undefined;
    // Alone on its key a client is admitted after exactly that time; refused again, it is not alone.
    return retry === 0 ? retryAfter : retryAfter + this.backOff(retry);
  }

  /** Full jitter: many clients that fail together do not come back together. */
  private backOff(retry: number): number {
    return Math.round(this.random() * Math.min(LARGEST_STEP, FIRST_STEP * 2 ** retry));
  }
}

function mayTryAgain({ status, code }: FailedAttempt, repeatable: boolean): boolean {
  if (status === 429) return true;
  if (!repeatable) return false;
  return status === undefined || TEMPORARY.has(status) || code === 'idempotency_in_progress';
}

/** Whether the request of a failed attempt that is retried may have been carried out. */
export function mayHaveActed({ status }: FailedAttempt): boolean {
  return status === undefined || (status !== 429 && TEMPORARY.has(status));
}

/** Milliseconds that a Retry-After field asks for: seconds or a date (RFC 9110, section 10.2.3). */
export function readRetryAfter(field: string | null, now: number): number | undefined {
  if (field === null) return undefined;
  if (/^\d+$/.test(field)) return Number(field) * 1000;
  const date = Date.parse(field);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
