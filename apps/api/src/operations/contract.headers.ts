import { defineHeaders, textHeader } from '@petstore/http-kernel';

/** Header fields that several resources of this contract answer with; beside those of any HTTP API. */
export const CONTRACT_HEADERS = defineHeaders({
  Location: textHeader('Where the created animal is found.', '/v1/pets/42'),
  Deprecation: textHeader(
    'Since when the operation is deprecated: @ and a Unix timestamp in seconds (RFC 9745).',
    '@1764892800',
    32,
  ),
  Sunset: textHeader(
    'When the operation is expected to be removed (RFC 8594).',
    'Thu, 05 Dec 2030 00:00:00 GMT',
    64,
  ),
});
