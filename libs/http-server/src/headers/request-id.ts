import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Name of the header field that carries the id of a request, in both directions. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

const ACCEPTABLE = /^[\w-]{8,64}$/;

/** What generated API keys begin with: a key that was sent in the wrong field is to stand in no log. */
const LIKE_A_KEY = /pet_(?:live|test)_/i;

const ID = Symbol('request id');

/** Property of the request rather than an entry of a WeakMap: every request pays for this. */
type WithId = IncomingMessage & { [ID]?: string };

/** The id that a caller proposes when it is fit for a log line and does not look like a key, else a new one. */
export function chooseRequestId(proposed: string | undefined): string {
  return proposed !== undefined && ACCEPTABLE.test(proposed) && !LIKE_A_KEY.test(proposed)
    ? proposed
    : randomUUID();
}

/** Gives a request an id and puts it on the response, whatever happens next. */
export function assignRequestId(request: IncomingMessage, response: ServerResponse): void {
  const proposed = request.headers['x-request-id'];
  // Nor a piece of the key that the request carries, of whatever form that is.
  const isOurs = typeof proposed === 'string' && request.headers.authorization?.includes(proposed) !== true;
  const id = chooseRequestId(isOurs ? proposed : undefined);
  (request as WithId)[ID] = id;
  response.setHeader(REQUEST_ID_HEADER, id);
}

/** The id of a request that {@link assignRequestId} has seen. */
export function requestIdOf(request: IncomingMessage): string | undefined {
  return (request as WithId)[ID];
}
