import { NoAnswer } from './errors.js';

/** An answer whose body has arrived whole. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Why the exchange was broken off when its time was up. */
const LATE = Symbol('late');

/** One request as fetch takes it, and how long its answer may take. */
export interface Exchange {
  readonly operation: string;
  readonly url: string;
  readonly init: RequestInit;
  /** Milliseconds until the whole answer must be there. */
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends a request once.
 *
 * @throws NoAnswer when the connection fails or the time is up; the signal's reason when that is aborted
 */
export async function exchange(
  fetch: typeof globalThis.fetch,
  { operation, url, init, timeout, signal }: Exchange,
): Promise<Answer> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const giveUp = (): void => {
    controller.abort();
  };
  const timer = setTimeout(() => {
    controller.abort(LATE);
  }, timeout);
  signal?.addEventListener('abort', giveUp);
  try {
    const response = await fetch(url, { ...init, signal: controller.signal });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    signal?.throwIfAborted();
    throw controller.signal.reason === LATE
      ? new NoAnswer('timeout', `No answer within ${timeout} ms.`, operation, error)
      : new NoAnswer('connection', `The connection to ${new URL(url).host} failed.`, operation, error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}
