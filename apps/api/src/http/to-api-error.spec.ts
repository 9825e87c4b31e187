import { expect, it } from '@jest/globals';
import { type RateLimitResult, RateLimitExceededError } from '@petstore/rate-limit';
import { RateLimitExceededException } from '@petstore/rate-limit/nest';
import { toApiError } from './to-api-error.js';

const REFUSED = { admitted: false, banMs: 0, retryAfterMs: 1_000 } as RateLimitResult;

it('translates what the limiter refuses, with and without other interceptors on the handler', () => {
  const refused = new RateLimitExceededError(REFUSED);
  for (const exception of [refused, new RateLimitExceededException(refused)])
    expect(toApiError(exception)).toMatchObject({ code: refused.code, status: 429 });
});

it('leaves everything else to the filter', () => {
  expect(toApiError(new Error('something else'))).toBeUndefined();
});
