/** A type of event, as responses have it: more are added over time. */
export const EVENT_TYPE_SCHEMA = {
  type: 'string',
  maxLength: 64,
  pattern: '^[a-z]+(\\.[a-z_]+)+$',
} as const;
