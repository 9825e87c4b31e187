import { defineSettings, settingWithDefault } from '../setting.js';
import { decimal, onOff } from '../value-types.js';

/** Events, and the work that no request waits for. */
export const EVENT_SETTINGS = defineSettings({
  eventRetentionDays: settingWithDefault({
    variable: 'EVENT_RETENTION_DAYS',
    meaning: 'How long events are kept; whoever has read less far must fetch everything again.',
    allowed: 'days from 0.001 to 400',
    fallback: '30',
    schema: decimal(0.001, 400),
  }),
  worker: settingWithDefault({
    variable: 'WORKER',
    meaning:
      'Whether this instance also does what no request waits for: it gives events their places, sends webhooks and removes old rows. At least one instance must.',
    allowed: 'on or off',
    fallback: 'on',
    schema: onOff,
  }),
});
