import { defineHeaders, integerHeader, textHeader } from './define-headers.js';

/** Header fields that responses of any HTTP API may carry; features define theirs. */
export const HTTP_HEADERS = defineHeaders({
  'X-Request-Id': textHeader(
    'Id of this request; the one that was sent if it was fit for it.',
    '3f9c1d1e-8a0b-4a64-9f0e-6f1d2c3b4a59',
    64,
  ),
  'Retry-After': integerHeader('Seconds to wait before trying again.', 12, 1),
  Allow: textHeader('Methods that the path supports.', 'GET, HEAD, OPTIONS, POST'),
  'Accept-Patch': textHeader(
    'Media types that PATCH accepts (RFC 5789).',
    'application/merge-patch+json, application/json',
  ),
  'Accept-Encoding': textHeader(
    'Content codings that a body may have; after one that it may not have (RFC 9110).',
    'identity',
    128,
  ),
  ETag: textHeader(
    'Identifies this answer, or the current state, for If-Match and If-None-Match (RFC 9110).',
    '"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
    64,
  ),
  Vary: textHeader(
    'Request header fields that the answer depends on (RFC 9110).',
    'Origin, Authorization',
    128,
  ),
  'Cache-Control': textHeader(
    'Whether and how the answer may be cached (RFC 9111).',
    'private, no-cache',
    128,
  ),
});
