import { until } from './until.js';

/** What is logged when Redis does not respond in time, and when it does again. */
export const REDIS_UNAVAILABLE = 'redis unavailable, using local limits';
export const REDIS_AVAILABLE = 'redis available, sharing limits again';

/** How often Redis may fail to respond in time before the machine is too busy to tell. */
const ATTEMPTS = 5;

/**
 * Carries out a check of limits that are exact while Redis responds within 250 ms: again if an outage fell into it, for which a
 * busy machine is enough. Each attempt needs a key of its own.
 *
 * @param instances what they have logged, with a message
 */
export async function whileShared(
  instances: { logged(message: string): readonly unknown[] },
  check: () => Promise<void>,
): Promise<void> {
  const outages = (): number => instances.logged(REDIS_UNAVAILABLE).length;
  for (let attempt = 1; ; attempt++) {
    await until(() => instances.logged(REDIS_AVAILABLE).length === outages());
    const before = outages();
    try {
      await check();
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || outages() === before) throw error;
    }
  }
}
