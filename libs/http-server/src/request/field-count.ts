import type { IncomingMessage } from 'node:http';
import { ApiError } from '@petstore/http-kernel';

/** Most header fields of a request, as of Apache and others; browsers behind several proxies send half of it. */
export const MAX_FIELDS = 100;

/**
 * How many fields node is to keep: one more than there may be, so that it shows. It drops what is beyond without
 * a word, a second `Authorization` included; the length of the body it does not take from these.
 */
export const MAX_FIELDS_KEPT = MAX_FIELDS + 1;

/** Why a request with too many header fields is refused, before any of them is looked at. */
export function refusalOfFields({ rawHeaders }: IncomingMessage): ApiError | undefined {
  if (rawHeaders.length <= 2 * MAX_FIELDS) return undefined;
  return new ApiError('headers_too_large', {
    message: `A request may have at most ${MAX_FIELDS} header fields.`,
    headers: { Connection: 'close' },
  });
}
