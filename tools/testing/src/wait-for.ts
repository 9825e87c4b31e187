import { setTimeout as sleep } from 'node:timers/promises';

/** Below jest's limit of 60 s for a test, so that the failure says what was missing. */
const TIMEOUT_MS = 25_000;
const INTERVAL_MS = 10;

/**
 * Polls until a condition holds: for what has no event to wait for.
 *
 * @param condition its first value that is neither `false` nor `undefined` ends the wait
 * @returns that value
 * @throws Error with the text of the condition when it does not hold in time
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  timeoutMs = TIMEOUT_MS,
): Promise<Exclude<T, false | undefined>> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value !== false && value !== undefined) return value as Exclude<T, false | undefined>;
    if (performance.now() > end) throw new Error(`Not within ${timeoutMs} ms: ${condition.toString()}`);
    await sleep(INTERVAL_MS);
  }
}
