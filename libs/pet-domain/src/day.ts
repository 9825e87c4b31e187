import type { Branded } from './value.js';

/** A day of the Gregorian calendar as `YYYY-MM-DD`. A later day is the greater string. */
export type Day = Branded<string, 'Day'>;

const FORM = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

export const Day = {
  /** `text` as a day that exists, or `undefined`. */
  parse(text: string): Day | undefined {
    if (!FORM.test(text)) return undefined;
    const instant = new Date(`${text}T00:00:00Z`);
    // A day that a month does not have would be one of the next month.
    return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text)
      ? (text as Day)
      : undefined;
  },
  /** The day in UTC of a moment. @param days after it */
  of: (instant: Date, days = 0): Day =>
    new Date(instant.getTime() + days * 86_400_000).toISOString().slice(0, 10) as Day,
} as const;
