import { defineHeaders, textHeader } from '@petstore/http-server';
import type { Parameter } from './operation.js';
import { PRECONDITION_SCHEMA } from './schemas.js';

/** Header fields that responses of several resources carry, beside those of any HTTP API. */
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
  'Idempotent-Replayed': {
    description:
      'Present when this is the first response to the same Idempotency-Key again; nothing was added now.',
    schema: { type: 'boolean', enum: [true] },
    example: true,
  },
});

/** Request header field of conditional requests. Nothing is refused: what is no list of tags is ignored. */
export const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  description:
    'ETag of the response that the client has; while it is still current, the response is 304 without a body.',
  schema: { type: 'string' },
};

/** Request header field of writes that are to happen to a known state only. */
export const IF_MATCH: Parameter = {
  name: 'If-Match',
  description:
    'ETag of the state that the client has read; if the current state is another one, nothing is changed and the response is 412.',
  schema: PRECONDITION_SCHEMA,
};

/** Request header field of creations. No example: docs pages and generators would send it as it is, twice. */
export const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  description:
    'A value that the client chooses for this request, 1 to 255 visible ASCII characters, and repeats when it sends the request again.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};

/** Request header field of writes that may create: these never replace what there is. */
export const IF_NONE_MATCH_ANY: Parameter = {
  name: 'If-None-Match',
  description: '`*` to add only: an existing category is left as it is, and the response is 412.',
  schema: PRECONDITION_SCHEMA,
};
