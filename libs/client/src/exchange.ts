import { NoAnswerError } from './errors.js';

/** A response whose body has arrived whole. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Reason of an abort by the time limit. */
const TIMED_OUT = Symbol('timed out');

/** One request as fetch takes it, and how long its response may take. */
export interface Exchange {
  readonly operation: string;
  readonly url: string;
  readonly init: RequestInit;
  /** Milliseconds until the whole response must have arrived. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends a request once.
 *
 * @throws NoAnswerError when the connection fails or the time is up; the signal's reason when that is aborted
 */
export async function exchange(
  fetch: typeof globalThis.fetch,
  { operation, url, init, timeoutMs, signal }: Exchange,
): Promise<RawResponse> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = (): void => {
    controller.abort();
  };
  const timer = setTimeout(() => {
    controller.abort(TIMED_OUT);
  }, timeoutMs);
  signal?.addEventListener('abort', abort);
  try {
    const response = await fetch(url, { ...init, signal: controller.signal });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    signal?.throwIfAborted();
    throw controller.signal.reason === TIMED_OUT
      ? new NoAnswerError('timeout', `No response within ${timeoutMs} ms.`, operation, error)
      : new NoAnswerError('connection', `The connection to ${new URL(url).host} failed.`, operation, error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
