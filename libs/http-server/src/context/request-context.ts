import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Name of the header field that carries the id of a request, in both directions. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

const ACCEPTABLE = /^[\w-]{8,64}$/;

const CONTEXT = Symbol('context of a request');

/** Property of the request rather than an entry of a WeakMap: every request pays for this. */
type RequestWithContext = IncomingMessage & { [CONTEXT]?: RequestContext };

/** What is known of a request while it is served. */
export class RequestContext {
  /** On the clock of `performance.now()`. */
  readonly startedAt = performance.now();
  /** The code of the error that it gets. */
  errorCode: string | undefined = undefined;
  /** Whether its response has been sent whole before it was ended: the request had not arrived completely. */
  isResponded = false;
  /** What it is called in the log, in metrics and in traces, where its route does not say it. */
  operation: string | undefined = undefined;

  constructor(readonly id: string) {}

  /** Begins the context of a request. @param mayLog whether a text may stand in the log */
  static begin(request: IncomingMessage, mayLog: (text: string) => boolean): RequestContext {
    return ((request as RequestWithContext)[CONTEXT] = new RequestContext(idFor(request, mayLog)));
  }
}

/** The context of a request that has begun. */
export function contextOf(request: IncomingMessage): RequestContext | undefined {
  return (request as RequestWithContext)[CONTEXT];
}

/** The caller's id if it is fit for a log line and holds no secret, else a new one. */
function idFor({ headers }: IncomingMessage, mayLog: (text: string) => boolean): string {
  const proposed = headers['x-request-id'];
  if (typeof proposed !== 'string' || !ACCEPTABLE.test(proposed) || !mayLog(proposed)) return randomUUID();
  // Nor a piece of the key that the request carries, of whatever form that is.
  return headers.authorization?.includes(proposed) === true ? randomUUID() : proposed;
}

/** Whether the client of a request is still to send a body, or the rest of one (RFC 9112, section 6). */
export function expectsBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
