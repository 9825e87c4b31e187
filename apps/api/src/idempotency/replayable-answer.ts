import { JsonResponse } from '@petstore/http-kernel';
import type { StoredAnswer } from '@petstore/persistence';
import { PRIVATE_RESPONSE } from '../operations/contract-responses.js';

/** Kept with the first answer, as they were. */
const KEPT = { location: 'Location', etag: 'ETag' } as const;

/**
 * Neither kept nor lost: the same in every answer of an operation that can be replayed. Fields of the request itself
 * (`X-Request-Id`, `X-RateLimit-*`, `Date`) are no part of an {@link JsonResponse} and are those of each request.
 */
const SAME = PRIVATE_RESPONSE;

/**
 * What is kept of a first answer, so that {@link replayOf} gives it again byte for byte.
 *
 * @throws {Error} for a header field that would be lost, or come by being replayed
 */
export function toStoredAnswer({ status, json, headers }: JsonResponse): StoredAnswer {
  for (const name in { ...SAME, ...headers }) {
    if (name === KEPT.location || name === KEPT.etag || SAME[name] === headers[name]) continue;
    throw new Error(`The header field ${name} of an answer to an Idempotency-Key cannot be repeated.`);
  }
  return {
    status,
    location: headers[KEPT.location],
    etag: headers[KEPT.etag],
    body: typeof json === 'string' ? json : Buffer.from(json).toString('utf8'),
  };
}

/** The first answer again, with a field that says so. */
export function replayOf({ status, location, etag, body = '' }: StoredAnswer): JsonResponse {
  return new JsonResponse(status, body, {
    ...SAME,
    ...(location !== undefined && { [KEPT.location]: location }),
    ...(etag !== undefined && { [KEPT.etag]: etag }),
    'Idempotent-Replayed': 'true',
  });
}
