import { onAbort } from './abort.js';

/** Longest time of a timer; one of a longer time fires at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Waits; rejects with the signal's reason as soon as that is aborted. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const settle = (): void => {
      clearTimeout(timer);
      end();
      if (signal?.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(settle, Math.min(milliseconds, LONGEST_TIMER_MS));
    const end = onAbort(signal, settle);
  });
}
