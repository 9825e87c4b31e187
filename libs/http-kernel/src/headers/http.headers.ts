import type { HeaderObject, ReferenceObject } from '../openapi/openapi-types.js';

const text = (description: string, example: string, maxLength = 1024): HeaderObject => ({
  description,
  // Visible ASCII and spaces: what field values may hold (RFC 9110, section 5.5).
  schema: { type: 'string', minLength: 1, maxLength, pattern: '^[ -~]+$' },
  example,
});

const whole = (description: string, example: number, minimum = 0): HeaderObject => ({
  description,
  schema: { type: 'integer', format: 'int64', minimum, maximum: 9_007_199_254_740_991 },
  example,
});

/** Every header field that an answer of the contract may carry; answers refer to them by name. */
export const HEADER_COMPONENTS = {
  'X-Request-Id': text(
    'Id of this request; the one that was sent if it was fit for it.',
    '3f9c1d1e-8a0b-4a64-9f0e-6f1d2c3b4a59',
    64,
  ),
  'X-RateLimit-Limit': whole(
    'Requests that the window allows: the window that refused, else the one with the fewest remaining.',
    60,
    1,
  ),
  'X-RateLimit-Remaining': whole('Requests that the window still admits.', 59),
  'X-RateLimit-Reset': whole(
    'Unix timestamp, in seconds, at which the next unit of the window comes free.',
    1_785_628_800,
  ),
  RateLimit: text(
    'Remaining quota and seconds until more of it, of both windows (draft-ietf-httpapi-ratelimit-headers).',
    '"minute";r=59;t=60, "day";r=999;t=86400',
  ),
  'RateLimit-Policy': text(
    'Quota and length in seconds of both windows (draft-ietf-httpapi-ratelimit-headers).',
    '"minute";q=60;w=60, "day";q=1000;w=86400',
  ),
  'Retry-After': whole('Seconds to wait before trying again.', 12, 1),
  'WWW-Authenticate': text(
    'How to authenticate (RFC 6750).',
    'Bearer realm="petstore", error="invalid_token"',
  ),
  Allow: text('Methods that the path supports.', 'GET, HEAD, OPTIONS, POST'),
  Link: text(
    'Links to other pages, or about this operation (RFC 8288).',
    '</v1/pets?cursor=0k5w1yza15>; rel="next"',
    4096,
  ),
  ETag: text('Identifies this answer for If-None-Match (RFC 9110).', '"2jmj7l5rSw0yVb_vlWAYkK_YBwk"', 64),
  Vary: text('Request header fields that the answer depends on (RFC 9110).', 'Authorization', 128),
  'Idempotent-Replayed': {
    description:
      'Present when this is the first answer to the same Idempotency-Key again; nothing was added now.',
    schema: { type: 'boolean', enum: [true] },
    example: true,
  },
  Location: text('Where the created animal is found.', '/v1/pets/42'),
  Deprecation: text(
    'Since when the operation is deprecated: @ and a Unix timestamp in seconds (RFC 9745).',
    '@1764892800',
    32,
  ),
  Sunset: text(
    'When the operation is expected to be removed (RFC 8594).',
    'Thu, 05 Dec 2030 00:00:00 GMT',
    64,
  ),
  'Cache-Control': text('Whether and how the answer may be cached (RFC 9111).', 'private, no-cache', 128),
} as const satisfies Record<string, HeaderObject>;

export type HeaderName = keyof typeof HEADER_COMPONENTS;

/** References to the components of these header fields. */
export function headerReferences(names: readonly HeaderName[]): Record<string, ReferenceObject> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
