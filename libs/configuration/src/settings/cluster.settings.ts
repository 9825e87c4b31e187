import { defineSettings, settingWithDefault } from '../setting.js';
import { wholeNumber } from '../value-types.js';

/** Worker processes. */
export const CLUSTER_SETTINGS = defineSettings({
  processes: settingWithDefault({
    variable: 'WEB_CONCURRENCY',
    meaning:
      'Processes that serve on the one port, each with up to a core of its own; more than one need REDIS_URL.',
    allowed: 'a whole number from 1 to 64',
    fallback: '1',
    schema: wholeNumber(1, 64),
  }),
});
