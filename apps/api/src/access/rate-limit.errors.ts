import { defineErrors, defineHeaders, HTTP_HEADERS, integerHeader, textHeader } from '@petstore/http-server';

/** Header fields that say how much of its limits a caller has left (specification, section 8). */
export const RATE_LIMIT_HEADERS = defineHeaders({
  'X-RateLimit-Limit': integerHeader(
    'Requests that the window allows: the window that refused, else the one with the fewest remaining.',
    60,
    1,
  ),
  'X-RateLimit-Remaining': integerHeader('Requests that the window still admits.', 59),
  'X-RateLimit-Reset': integerHeader(
    'Unix timestamp, in seconds, at which the next unit of the window comes free.',
    1_785_628_800,
  ),
  RateLimit: textHeader(
    'Remaining quota and seconds until more of it, of both windows (draft-ietf-httpapi-ratelimit-headers).',
    '"minute";r=59;t=60, "day";r=999;t=86400',
  ),
  'RateLimit-Policy': textHeader(
    'Quota and length in seconds of both windows (draft-ietf-httpapi-ratelimit-headers).',
    '"minute";q=60;w=60, "day";q=1000;w=86400',
  ),
});

const headers = [HTTP_HEADERS['Retry-After']];

/** What requests get that the rate limiter refuses (specification, section 8). */
export const RATE_LIMIT_ERRORS = defineErrors({
  rate_limit_exceeded: {
    status: 429,
    message: 'Too many requests. Retry after the time that the Retry-After header gives.',
    when: 'A window of the plan, or of the client address, is used up.',
    headers,
  },
  api_key_temporarily_banned: {
    status: 429,
    message: 'The API key is banned for a while because it went on after being refused. See Retry-After.',
    when: 'The key kept sending requests after being refused.',
    headers,
  },
});
