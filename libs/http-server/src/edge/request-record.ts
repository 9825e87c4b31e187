import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ApiError } from '../errors/api-error.js';
import type { RequestSlot } from '../load-shedding/request-slots.js';

/** Name of the header field that carries the id of a request, in both directions. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

const ACCEPTABLE = /^[\w-]{8,64}$/;

const RECORD = Symbol('record of a request');

/** Property of the request rather than an entry of a WeakMap: every request pays for this. */
type RecordedRequest = IncomingMessage & { [RECORD]?: RequestRecord };

/** What is known of a request while it is served, and told once when it is over. */
export class RequestRecord {
  /** On the clock of `performance.now()`. */
  readonly startedAt = performance.now();
  /** The code of the error that it gets. */
  errorCode: string | undefined = undefined;
  /** Why it goes no further than the edge. */
  refusal: ApiError | undefined = undefined;
  /** Whether its target was longer than any may be; a short one of the same operation stands in its place. */
  isTargetTooLong = false;
  /** Its slot among the requests at work; `undefined` for one that needs none. */
  slot: RequestSlot | undefined = undefined;

  constructor(readonly id: string) {}

  /**
   * Begins the record of a request.
   *
   * @param isSecret whether a text looks like one that may stand in no log
   */
  static begin(request: IncomingMessage, isSecret: (text: string) => boolean): RequestRecord {
    return ((request as RecordedRequest)[RECORD] = new RequestRecord(idFor(request, isSecret)));
  }
}

/** The record of a request that has begun. */
export function recordOf(request: IncomingMessage): RequestRecord | undefined {
  return (request as RecordedRequest)[RECORD];
}

/** The id that a caller proposes when it is fit for a log line and holds no secret, else a new one. */
function idFor({ headers }: IncomingMessage, isSecret: (text: string) => boolean): string {
  const proposed = headers['x-request-id'];
  if (typeof proposed !== 'string' || !ACCEPTABLE.test(proposed) || isSecret(proposed)) return randomUUID();
  // Nor a piece of the key that the request carries, of whatever form that is.
  return headers.authorization?.includes(proposed) === true ? randomUUID() : proposed;
}
