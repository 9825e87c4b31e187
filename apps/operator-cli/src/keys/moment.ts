const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Milliseconds of a text such as `90s`, `30m`, `24h` or `7d`; `undefined` for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, count = '', unit = ''] = /^([0-9]{1,6})([smhd])$/.exec(text) ?? [];
  const size = UNITS[unit];
  return size === undefined ? undefined : Number(count) * size;
}

const ISO = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/**
 * A date of ISO 8601, which means its first moment in UTC, or a time with its zone. A time without one would
 * mean another moment on another machine, so it is none, like a day that no calendar has.
 */
export function parseMoment(text: string): Date | undefined {
  const day = ISO.exec(text)?.[1];
  if (day === undefined) return undefined;
  const midnight = new Date(`${day}T00:00:00Z`);
  const moment = new Date(text);
  if (Number.isNaN(midnight.getTime()) || Number.isNaN(moment.getTime())) return undefined;
  // JavaScript takes 30 February for 2 March.
  return midnight.toISOString().startsWith(day) ? moment : undefined;
}
