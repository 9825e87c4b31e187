import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Name of the header field that carries the id of a request, in both directions. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

const ACCEPTABLE = /^[\w-]{8,64}$/;

const ids = new WeakMap<IncomingMessage, string>();

/** The id that a caller proposes when it is fit for a log line, else a new one. */
export function chooseRequestId(proposed: string | undefined): string {
  return proposed !== undefined && ACCEPTABLE.test(proposed) ? proposed : randomUUID();
}

/** Middleware: gives every request an id and puts it on the answer, whatever happens next. */
export function assignRequestId(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  const proposed = request.headers['x-request-id'];
  const id = chooseRequestId(typeof proposed === 'string' ? proposed : undefined);
  ids.set(request, id);
  response.setHeader(REQUEST_ID_HEADER, id);
  next();
}

/** The id of a request that {@link assignRequestId} has seen. */
export function requestIdOf(request: IncomingMessage): string | undefined {
  return ids.get(request);
}
