import { stringEnum } from '@petstore/pet-domain';
import type { Dispatcher } from 'undici';
import { AddressError } from '../address/safe-lookup.js';

/**
 * Why an attempt has failed. `http_status`: the response was no 2xx. `timeout`: no connection or no response in time.
 * `dns`: the name could not be resolved. `refused_address`: it leads to an address that may not be called.
 * `connection`: refused, reset, or not HTTP. `tls`: no secure connection, as with a certificate that is not valid.
 */
export const DeliveryError = stringEnum(
  'http_status',
  'timeout',
  'dns',
  'refused_address',
  'connection',
  'tls',
);

export type DeliveryError = (typeof DeliveryError.ALL)[number];

/** What has come of sending one request. */
export type AttemptOutcome =
  | { readonly isDelivered: true; readonly responseStatus: number; readonly error?: undefined }
  | {
      readonly isDelivered: false;
      readonly error: DeliveryError;
      /** With `http_status` only. */
      readonly responseStatus?: number | undefined;
      /** How long the endpoint asks to be left alone, in milliseconds. */
      readonly retryAfterMs?: number | undefined;
    };

const TIMEOUTS: ReadonlySet<string> = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
]);

const TLS_CODE = /^(?:ERR_SSL_|ERR_TLS_|EPROTO$)/;
/** Codes of the system, Node.js, undici and its parser. Any other one is OpenSSL's name for a problem of a certificate. */
const OTHER_CODE = /^(?:E[A-Z0-9]+|ERR_.+|UND_ERR_.+|HPE_.+|)$/;

/** What a response says. Of its header fields only `Retry-After` is read. */
export function outcomeOf({ statusCode, headers }: Dispatcher.ResponseData): AttemptOutcome {
  if (statusCode >= 200 && statusCode < 300) return { isDelivered: true, responseStatus: statusCode };
  return {
    isDelivered: false,
    error: 'http_status',
    responseStatus: statusCode,
    retryAfterMs: parseRetryAfter(headers['retry-after']),
  };
}

/** Which failure an error of undici, `node:net` or `node:tls` is, in the words of the API. */
export function failureOf(error: unknown): DeliveryError {
  if (error instanceof AddressError) return error.reason;
  const { name, code: given } = (error ?? {}) as { readonly name?: unknown; readonly code?: unknown };
  const code = typeof given === 'string' ? given : '';
  if (name === 'TimeoutError' || TIMEOUTS.has(code)) return 'timeout';
  return TLS_CODE.test(code) || !OTHER_CODE.test(code) ? 'tls' : 'connection';
}

/**
 * How long `Retry-After` asks to wait (RFC 9110, section 10.2.3), in milliseconds: seconds, or until a date in any form that
 * `Date.parse` reads. `undefined` for what asks for nothing.
 */
function parseRetryAfter(value: string | string[] | undefined): number | undefined {
  const text = [value].flat()[0] ?? '';
  const delayMs = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return delayMs > 0 ? delayMs : undefined;
}
