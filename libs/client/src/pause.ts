/** Longest time of a timer; one of a longer time fires at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Waits; rejects with the signal's reason as soon as that is aborted. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const finish = (): void => {
      clearTimeout(timer);
      end();
      if (signal?.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(finish, Math.min(milliseconds, LONGEST_TIMER_MS));
    const end = onAbort(signal, finish);
  });
}

/** Callbacks of one signal, called by one listener: of more than ten listeners Node.js warns. */
class AbortCallbacks extends Set<() => void> {
  handleEvent(): void {
    for (const callback of this) callback();
  }
}

const CALLBACKS = new WeakMap<AbortSignal, AbortCallbacks>();

/**
 * Has a function called when the signal is aborted.
 *
 * @returns ends this; with the last one of a signal its listener is removed
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) return () => undefined;
  const callbacks = CALLBACKS.get(signal) ?? new AbortCallbacks();
  CALLBACKS.set(signal, callbacks.add(callback));
  // The same listener is not added twice.
  signal.addEventListener('abort', callbacks);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size === 0) signal.removeEventListener('abort', callbacks);
  };
}
