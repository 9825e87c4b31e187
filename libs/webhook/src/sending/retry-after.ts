const DELAY_SECONDS = /^\d{1,9}$/;

/**
 * How long `Retry-After` asks to wait (RFC 9110, section 10.2.3), in milliseconds; `undefined` for what is neither
 * seconds nor a date in the future.
 *
 * @param now in milliseconds since 1970
 */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (DELAY_SECONDS.test(value)) return Number(value) * 1_000;
  // Every form of a date ends so; Date.parse would also read numbers and words.
  if (!value.endsWith('GMT')) return undefined;
  const delayMs = Date.parse(value) - now;
  return delayMs > 0 ? delayMs : undefined;
}
