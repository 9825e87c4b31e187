import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves once `condition` holds; throws when it does not in time. */
export async function until(condition: () => boolean | Promise<boolean>, timeoutMs = 10_000): Promise<void> {
  for (const end = Date.now() + timeoutMs; !(await condition());) {
    if (Date.now() > end) throw new Error(`It did not come to pass: ${condition.toString()}`);
    await sleep(20);
  }
}
