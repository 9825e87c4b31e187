/** Largest wait, in seconds (as RFC 9111, section 1.2.2, has it for ages). */
const MAX_SECONDS = 2 ** 31;

const FIFTY_YEARS_MS = 50 * 365.25 * 86_400_000;

/** A date holds one comma itself. */
const ELEMENT = /\s*(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, )?[^,]+/g;

/** The forms of a date (RFC 9110, section 5.6.7); the last one is in UTC, too. */
const DATES = [
  /^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]+day, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
];

/**
 * Seconds that Retry-After asks to wait (RFC 9110, section 10.2.3), of several the greatest, 0 for a date in the past;
 * `undefined` if it has neither seconds nor a date. The sender of webhooks has a parser of its own, because this package is
 * published without dependencies and runs in browsers.
 *
 * @param now in milliseconds since 1970
 */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  const waits = (headers.get('Retry-After')?.match(ELEMENT) ?? []).map((one) => secondsOf(one.trim(), now));
  const valid = waits.filter((wait) => wait !== undefined);
  return valid.length === 0 ? undefined : Math.min(MAX_SECONDS, Math.max(...valid));
}

function secondsOf(element: string, now: number): number | undefined {
  if (/^\d+$/.test(element)) return Number(element);
  const date = parseHttpDate(element, now);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}

/** Milliseconds since 1970; `NaN` for what is none of the three forms. */
function parseHttpDate(text: string, now: number): number {
  const fields = DATES.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (fields === undefined) return NaN;
  const { day = '', month = '', year = '', time = '' } = fields;
  if (year.length === 4) return utc(year, month, day, time);
  const century = Math.floor(new Date(now).getUTCFullYear() / 100);
  const date = utc(`${century}${year}`, month, day, time);
  // Two digits that seem to be more than 50 years ahead are of the century before.
  return date - now > FIFTY_YEARS_MS ? utc(`${century - 1}${year}`, month, day, time) : date;
}

function utc(year: string, month: string, day: string, time: string): number {
  // All engines read this form alike. A leap second is taken for the one before.
  const date = Date.parse(`Thu, ${day.replace(' ', '0')} ${month} ${year} ${time.replace(/60$/, '59')} GMT`);
  // They read 30 February as a day of March.
  return new Date(date).getUTCDate() === Number(day) ? date : NaN;
}
