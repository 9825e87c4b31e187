import { API_KEY_REFUSALS, type ApiKeyRefusal } from '@petstore/api-key';
import { defineErrors, defineHeaders, HTTP_HEADERS, integerHeader, textHeader } from '@petstore/http-server';
import { EXAMPLE_LIMITS } from './petstore-plans.js';

/** What API keys are for, in the field WWW-Authenticate (RFC 9110, section 11.5). */
export const REALM = 'petstore';

const challenge = Object.values(
  defineHeaders({
    'WWW-Authenticate': textHeader(
      'How to authenticate (RFC 6750).',
      `Bearer realm="${REALM}", error="invalid_token"`,
    ),
  }),
);

/** What requests get that the key guard refuses (docs/contract.md, "Keys"). */
export const API_KEY_ERRORS = defineErrors({
  missing_api_key: {
    status: API_KEY_REFUSALS.missing_api_key,
    message: 'An API key is required: send it as "Authorization: Bearer <API_KEY>".',
    when: 'No credential was sent, or one of another scheme than Bearer.',
    headers: challenge,
  },
  invalid_api_key: {
    status: API_KEY_REFUSALS.invalid_api_key,
    message: 'The API key is not valid.',
    when: 'The key is malformed, unknown, expired or revoked, or the header field Authorization was sent repeatedly.',
    headers: challenge,
  },
  insufficient_scope: {
    status: API_KEY_REFUSALS.insufficient_scope,
    message: 'The API key does not have the scope that this operation needs.',
    when: 'The key is valid but lacks the scope of the operation, or is publishable and the operation needs a secret key.',
    headers: challenge,
  },
  origin_not_allowed: {
    status: API_KEY_REFUSALS.origin_not_allowed,
    message: 'This key works only in pages of its own sites.',
    when: 'A publishable key was sent without the Origin of one of its sites.',
  },
} satisfies Record<ApiKeyRefusal, unknown>);

const { perMinute, perDay } = EXAMPLE_LIMITS;

/** Header fields that say how much of its limits a caller has left (docs/contract.md, "Limits"). */
export const RATE_LIMIT_HEADERS = defineHeaders({
  'X-RateLimit-Limit': integerHeader(
    'Requests that the window allows: the window that refused, else the one with the fewest remaining.',
    perMinute,
    1,
  ),
  'X-RateLimit-Remaining': integerHeader('Requests that the window still admits.', perMinute - 1),
  'X-RateLimit-Reset': integerHeader(
    'Unix timestamp, in seconds, at which the next unit of the window comes free.',
    1_785_628_800,
  ),
  RateLimit: textHeader(
    'Remaining quota and seconds until more of it, of both windows (draft-ietf-httpapi-ratelimit-headers-10).',
    `"minute";r=${perMinute - 1};t=60, "day";r=${perDay - 1};t=86400`,
  ),
  'RateLimit-Policy': textHeader(
    'Quota and length in seconds of both windows (draft-ietf-httpapi-ratelimit-headers-10).',
    `"minute";q=${perMinute};w=60, "day";q=${perDay};w=86400`,
  ),
});

const retryAfter = [HTTP_HEADERS['Retry-After']];

/** What requests get that the rate limiter refuses (docs/contract.md, "Limits"). */
export const RATE_LIMIT_ERRORS = defineErrors({
  rate_limit_exceeded: {
    status: 429,
    message: 'Too many requests. Retry after the time that the Retry-After header gives.',
    when: 'A window of the plan, or of the client address, is used up.',
    headers: retryAfter,
  },
  api_key_temporarily_banned: {
    status: 429,
    message: 'The API key is banned for a while because it went on after being refused. See Retry-After.',
    when: 'The key kept sending requests after being refused.',
    headers: retryAfter,
  },
});
