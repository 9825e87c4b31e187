/**
 * Why an attempt has failed. `http_status`: the response was no 2xx. `timeout`: no connection or no response in time.
 * `dns`: the name could not be resolved. `refused_address`: it leads to an address that may not be called.
 * `connection`: refused, reset, or not HTTP. `tls`: no secure connection, as with a certificate that is not valid.
 */
export const DELIVERY_ERRORS = [
  'http_status',
  'timeout',
  'dns',
  'refused_address',
  'connection',
  'tls',
] as const;

export type DeliveryError = (typeof DELIVERY_ERRORS)[number];
