/** An element of a list; a date holds one comma itself. */
const ELEMENT = /\s*(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, )?[^,]+/g;

const DELAY_SECONDS = /^\d+$/;

/** The forms of a date (RFC 9110, section 5.6.7). Date.parse alone would also read numbers and words. */
const DATE =
  /^(?:[A-Z][a-z]+, \d\d([ -])[A-Z][a-z]{2}\1(?:\d\d){1,2} [\d:]{8} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/;

/**
 * How long `Retry-After` asks to wait (RFC 9110, section 10.2.3), of several values the longest, in milliseconds;
 * `undefined` for what is neither seconds nor a date in the future.
 *
 * @param now in milliseconds since 1970
 */
export function parseRetryAfter(value: string | string[] | undefined, now: number): number | undefined {
  const elements = [value].flat().join().match(ELEMENT) ?? [];
  const delays = elements.map((element) => delayOf(element.trim(), now)).filter((delayMs) => delayMs > 0);
  return delays.length === 0 ? undefined : Math.max(...delays);
}

/** In milliseconds; `NaN` for what asks for nothing. */
function delayOf(element: string, now: number): number {
  if (DELAY_SECONDS.test(element)) return Number(element) * 1_000;
  if (!DATE.test(element)) return NaN;
  // The form without a zone is in UTC, too.
  return Date.parse(element.endsWith('GMT') ? element : `${element} GMT`) - now;
}
