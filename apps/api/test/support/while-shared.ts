import { until } from './until.js';

/** How often Redis may fail to respond in time before the machine is too busy to tell. */
const ATTEMPTS = 5;

/**
 * Carries out a check of limits that are exact while Redis responds within 250 ms: again if an outage fell into it, for which a
 * busy machine is enough. Each attempt needs a key of its own.
 *
 * @param logged the number of lines with this message, so far
 */
export async function whileShared(
  logged: (message: string) => number,
  check: () => Promise<void>,
): Promise<void> {
  const outages = (): number => logged('redis unavailable, using local limits');
  for (let attempt = 1; ; attempt++) {
    await until(() => logged('redis available, sharing limits again') === outages());
    const before = outages();
    try {
      await check();
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || outages() === before) throw error;
    }
  }
}
