import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves once `condition` holds; throws after ten seconds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 10_000; !(await condition());) {
    if (Date.now() > end) throw new Error(`It did not come to pass: ${condition.toString()}`);
    await sleep(20);
  }
}
