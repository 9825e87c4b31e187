import type { Dispatcher } from 'undici';
import { RefusedAddressError, ResolutionError } from '../address/safe-lookup.js';

/**
 * Why an attempt has failed. `http_status`: the response was no 2xx. `timeout`: no connection or no response in time.
 * `dns`: the name could not be resolved. `refused_address`: it leads to an address that may not be called.
 * `connection`: refused, reset, or not HTTP. `tls`: no secure connection, as with a certificate that is not valid.
 */
export type DeliveryError = 'http_status' | 'timeout' | 'dns' | 'refused_address' | 'connection' | 'tls';

/** What has come of sending one request. */
export type AttemptOutcome =
  | { readonly isDelivered: true; readonly responseStatus: number }
  | {
      readonly isDelivered: false;
      readonly error: DeliveryError;
      /** With `http_status` only. */
      readonly responseStatus?: number | undefined;
      /** How long the endpoint asks to be left alone, in milliseconds. */
      readonly retryAfterMs?: number | undefined;
    };

const TIMEOUTS: ReadonlySet<string> = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT']);

const TLS_CODE = /^(?:ERR_SSL_|ERR_TLS_|EPROTO$)/;
/** Codes of the system, Node.js, undici and its parser. Any other one is OpenSSL's name for a problem of a certificate. */
const OTHER_CODE = /^(?:E[A-Z0-9]+|ERR_.+|UND_ERR_.+|HPE_.+|)$/;

/** An element of a list; a date holds one comma itself. */
const ELEMENT = /\s*(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, )?[^,]+/g;

const DELAY_SECONDS = /^\d+$/;

/** The forms of a date (RFC 9110, section 5.6.7). Date.parse alone would also read numbers and words. */
const DATE =
  /^(?:[A-Z][a-z]+, \d\d([ -])[A-Z][a-z]{2}\1(?:\d\d){1,2} [\d:]{8} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/;

/** What a response says. Of its header fields only `Retry-After` is read. */
export function outcomeOf({ statusCode, headers }: Dispatcher.ResponseData): AttemptOutcome {
  if (statusCode >= 200 && statusCode < 300) return { isDelivered: true, responseStatus: statusCode };
  const retryAfterMs = parseRetryAfter(headers['retry-after'], Date.now());
  return { isDelivered: false, error: 'http_status', responseStatus: statusCode, retryAfterMs };
}

/** Which failure an error of undici, `node:net` or `node:tls` is, in the words of the API. */
export function failureOf(error: unknown): DeliveryError {
  if (error instanceof RefusedAddressError) return 'refused_address';
  if (error instanceof ResolutionError) return 'dns';
  const { name, code: given } = (error ?? {}) as { readonly name?: unknown; readonly code?: unknown };
  const code = typeof given === 'string' ? given : '';
  if (name === 'TimeoutError' || TIMEOUTS.has(code)) return 'timeout';
  return TLS_CODE.test(code) || !OTHER_CODE.test(code) ? 'tls' : 'connection';
}

/**
 * How long `Retry-After` asks to wait (RFC 9110, section 10.2.3), of several values the longest, in milliseconds;
 * `undefined` for what is neither seconds nor a date in the future.
 *
 * @param now in milliseconds since 1970
 */
function parseRetryAfter(value: string | string[] | undefined, now: number): number | undefined {
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
