import { z } from 'zod';
import { settings, wholeNumber } from '../configuration/settings.js';

/** Worker processes. */
export const CLUSTER_SETTINGS = z.object({
  processes: wholeNumber(1, 64).prefault('1').register(settings, {
    variable: 'WEB_CONCURRENCY',
    meaning:
      'Processes that serve on the one port, each with up to a core of its own; more than one need REDIS_URL.',
  }),
});
