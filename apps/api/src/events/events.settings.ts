import { z } from 'zod';
import { decimal, onOff, settings } from '../configuration/settings.js';

/** Events, and the work that no request waits for. */
export const EVENT_SETTINGS = z.object({
  eventRetentionDays: decimal(0.001, 400).prefault('30').register(settings, {
    variable: 'EVENT_RETENTION_DAYS',
    meaning: 'How long events are kept; a consumer that is further behind must fetch everything again.',
    allowed: 'days from 0.001 to 400',
  }),
  worker: onOff.prefault('on').register(settings, {
    variable: 'WORKER',
    meaning:
      'Whether this instance also does what no request waits for: it gives events their places, sends webhooks and removes old rows. At least one instance must.',
  }),
});
