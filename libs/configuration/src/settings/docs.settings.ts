import { defineSettings, settingWithDefault } from '../setting.js';
import { wholeNumber } from '../value-types.js';

/** Rate limits of the documentation pages. */
export const DOCS_SETTINGS = defineSettings({
  docsPerMinute: settingWithDefault({
    variable: 'DOCS_PER_MINUTE',
    meaning:
      'Requests outside of /v1, other than for health, that one client address may send in 60 seconds.',
    allowed: 'a whole number from 1 to 1000000',
    fallback: '300',
    schema: wholeNumber(1, 1_000_000),
  }),
  docsPerDay: settingWithDefault({
    variable: 'DOCS_PER_DAY',
    meaning: 'Requests outside of /v1, other than for health, that one client address may send in 24 hours.',
    allowed: 'a whole number from 1 to 1000000',
    fallback: '10000',
    schema: wholeNumber(1, 1_000_000),
  }),
});
