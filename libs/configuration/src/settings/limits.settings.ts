import { defineSettings, settingWithDefault } from '../setting.js';
import { onOff, wholeNumber } from '../value-types.js';

/** Rate limits of requests without an accepted key, and bans. */
export const LIMIT_SETTINGS = defineSettings({
  anonymousPerMinute: settingWithDefault({
    variable: 'ANONYMOUS_PER_MINUTE',
    meaning: 'Requests without an accepted key that one client address may send in 60 seconds.',
    allowed: 'a whole number from 1 to 1000000',
    fallback: '300',
    schema: wholeNumber(1, 1_000_000),
  }),
  anonymousPerDay: settingWithDefault({
    variable: 'ANONYMOUS_PER_DAY',
    meaning: 'Requests without an accepted key that one client address may send in 24 hours.',
    allowed: 'a whole number from 1 to 1000000',
    fallback: '10000',
    schema: wholeNumber(1, 1_000_000),
  }),
  bans: settingWithDefault({
    variable: 'BANS',
    meaning: 'Whether a key that goes on after being refused is banned for a while.',
    allowed: 'on or off',
    fallback: 'on',
    schema: onOff,
  }),
});
