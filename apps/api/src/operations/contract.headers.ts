import { defineHeaders, textHeader } from '@petstore/http-server';
import { IDEMPOTENCY_TOKEN } from '@petstore/persistence';
import type { Parameter } from './operation.js';
import { PRECONDITION_SCHEMA } from './schemas.js';

/** Header fields that responses of several resources carry, beside those of any HTTP API. */
export const CONTRACT_HEADERS = defineHeaders({
  Link: textHeader(
    'Links to other pages, about this operation, or to the explanation of this error (RFC 8288).',
    '</v1/pets?cursor=0k5w1yza15>; rel="next"',
    4096,
  ),
  Location: textHeader('Where the created resource is found.', '/v1/pets/42'),
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

/**
 * Request header fields of reads, of which nothing is refused: what is no list of tags is ignored. If-Match is honoured, and
 * not documented: hardly any reader sends it, and generated clients would have one more positional argument.
 */
export const READ_PRECONDITIONS: readonly Parameter[] = [
  {
    name: 'If-None-Match',
    description:
      'ETag of the response that the client has; while it is still current, the response is 304 without a body.',
    schema: { type: 'string' },
  },
];

/** Request header fields of writes that are to happen to a known state only. */
export const WRITE_PRECONDITIONS: readonly Parameter[] = [
  {
    name: 'If-Match',
    description:
      'ETag of the state that the client has read; if the current state is another one, nothing is changed and the response is 412.',
    schema: PRECONDITION_SCHEMA,
  },
  {
    name: 'If-None-Match',
    description:
      'ETag of a state in which nothing is to be changed, or `*` for any: to write only what does not exist. In such a state the response is 412.',
    schema: PRECONDITION_SCHEMA,
  },
];

/** Request header field of creations. No example: docs pages and generators would send it as it is, twice. */
export const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  description: `A value that the client chooses for this request, ${IDEMPOTENCY_TOKEN.expected}, and repeats when it sends the request again.`,
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: IDEMPOTENCY_TOKEN.maxLength,
    pattern: IDEMPOTENCY_TOKEN.pattern,
  },
};
