import { setTimeout as sleep } from 'node:timers/promises';

/** The first result of `attempt` that is no error; its last error after `within` milliseconds. */
export async function soon<T>(attempt: () => Promise<T>, within = 2_000): Promise<T> {
  const end = Date.now() + within;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await sleep(10);
  }
}
