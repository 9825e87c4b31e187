import { text } from './values.js';

const FORM = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** A moment as responses have it: RFC 3339, UTC, with milliseconds, by the clock of the database. */
export const INSTANT = text<Date>({
  kind: 'instant',
  description: 'a time in UTC with milliseconds, such as 2026-11-21T19:12:07.123Z',
  parse: (sent) => {
    const instant = new Date(FORM.test(sent) ? sent : NaN);
    // A day that a month does not have would be one of the next month.
    return !Number.isNaN(instant.getTime()) && instant.toISOString() === sent ? instant : undefined;
  },
  schema: { format: 'date-time', maxLength: 24, example: '2026-11-21T19:12:07.123Z' },
});
