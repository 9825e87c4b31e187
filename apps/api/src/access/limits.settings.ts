import { z } from 'zod';
import { settings } from '../configuration/settings.js';
import { onOff, wholeNumber } from '../configuration/value-types.js';

/** Rate limits of requests without an accepted key, and bans. */
export const LIMIT_SETTINGS = z.object({
  anonymousPerMinute: wholeNumber(1, 1_000_000).prefault('300').register(settings, {
    variable: 'ANONYMOUS_PER_MINUTE',
    meaning: 'Requests without an accepted key that one client address may send in 60 seconds.',
    allowed: 'a whole number from 1 to 1000000',
  }),
  anonymousPerDay: wholeNumber(1, 1_000_000).prefault('10000').register(settings, {
    variable: 'ANONYMOUS_PER_DAY',
    meaning: 'Requests without an accepted key that one client address may send in 24 hours.',
    allowed: 'a whole number from 1 to 1000000',
  }),
  bans: onOff.prefault('on').register(settings, {
    variable: 'BANS',
    meaning: 'Whether a key that goes on after being refused is banned for a while.',
    allowed: 'on or off',
  }),
});
