import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves when the condition holds; rejects after 5 seconds. */
export async function until(condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 5_000; !condition();) {
    if (Date.now() > end) throw new Error(`It did not come to pass: ${condition.toString()}`);
    await sleep(2);
  }
}
