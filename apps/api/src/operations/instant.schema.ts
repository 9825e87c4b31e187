/** A moment as responses have it: RFC 3339, UTC, with milliseconds, by the clock of the database. */
export const INSTANT_SCHEMA = {
  type: 'string',
  format: 'date-time',
  maxLength: 24,
  example: '2026-11-21T19:12:07.123Z',
} as const;
