/** A day, in milliseconds. */
export const DAY_MS = 24 * 60 * 60 * 1_000;

/** The day in UTC: `YYYY-MM-DD`. */
export function utcDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
