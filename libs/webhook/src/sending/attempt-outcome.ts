import { RefusedAddressError, ResolutionError } from '../address/guarded-lookup.js';

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
/** Codes of the system, Node.js, undici and its parser. Any other one is OpenSSL's name for a flaw of a certificate. */
const OTHER_CODE = /^(?:E[A-Z0-9]+|ERR_.+|UND_ERR_.+|HPE_.+|)$/;

/** Which failure an error of undici, `node:net` or `node:tls` is, in the words of the API. */
export function failureOf(error: unknown): DeliveryError {
  if (error instanceof RefusedAddressError) return 'refused_address';
  if (error instanceof ResolutionError) return 'dns';
  const { name, code: given } = (error ?? {}) as { readonly name?: unknown; readonly code?: unknown };
  const code = typeof given === 'string' ? given : '';
  if (name === 'TimeoutError' || TIMEOUTS.has(code)) return 'timeout';
  return TLS_CODE.test(code) || !OTHER_CODE.test(code) ? 'tls' : 'connection';
}
