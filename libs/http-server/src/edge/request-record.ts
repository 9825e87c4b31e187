import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type CallHandler, type ExecutionContext, Injectable } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import type { PreHandler } from '../adapter/interceptor-fast-path.js';
import { MAX_TARGET_BYTES } from '../options/limits.js';

/** Name of the header field that carries the id of a request, in both directions. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

const ACCEPTABLE = /^[\w-]{8,64}$/;

const RECORD = Symbol('record of a request');

/** Property of the request rather than an entry of a WeakMap: every request pays for this. */
type RecordedRequest = IncomingMessage & { [RECORD]?: RequestRecord };

/** Data of a request while it is served, reported once at its end. */
export class RequestRecord {
  /** On the clock of `performance.now()`. */
  readonly startedAt = performance.now();
  /** The code of the error that it gets. */
  errorCode: string | undefined = undefined;
  /** What it is called in the log, in metrics and in traces, where its route does not say it. */
  operation: string | undefined = undefined;
  /** Why the edge refuses it. */
  refusal: ApiError | undefined = undefined;
  /** Whether its target was longer than any may be; a short one of the same operation stands in its place. */
  isTargetTooLong = false;

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

/** Whether the client of a request is still to send a body, or the rest of one (RFC 9112, section 6). */
export function expectsBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** The caller's id if it is fit for a log line and holds no secret, else a new one. */
function idFor({ headers }: IncomingMessage, isSecret: (text: string) => boolean): string {
  const proposed = headers['x-request-id'];
  if (typeof proposed !== 'string' || !ACCEPTABLE.test(proposed) || isSecret(proposed)) return randomUUID();
  // Nor a piece of the key that the request carries, of whatever form that is.
  return headers.authorization?.includes(proposed) === true ? randomUUID() : proposed;
}

/** No path of the app may be longer, in bytes: longer ones are not looked at. */
const LONGEST_PATH = 256;

/** Path of a request that is refused for its target, or without a Host. */
const REFUSED = '/-';

/** A target in absolute form: its authority, which has no user information, and the rest (RFC 9112, section 3.2.2). */
const ABSOLUTE = /^https?:\/\/[^/?#@\\]+([/?].*)?$/is;

/**
 * Port: a short path for a long one, below the same operation, of a resource that does not exist. It is not `/-`, the
 * path of refused requests.
 */
export type ShortenPath = (path: string) => string;

/**
 * Brings the target of a request into one form, before anything looks at it: everything behind it, Express and
 * load shedding included, sees a path and a query (origin form, RFC 9112, section 3.2.1).
 *
 * - Of the absolute form only path and query are kept; this server has one authority.
 * - A `%` that starts no escape of valid UTF-8 is taken as the character itself; Express would refuse
 *   it before the key is checked.
 * - A path that is longer than any of this service leads to a short one that does not exist either, below the same
 *   operation. A target that is longer than {@link MAX_TARGET_BYTES} does too, and is refused by
 *   {@link TargetInterceptor}: key and limit come first.
 *
 * A request without one Host (RFC 9112, section 3.2) or with another transfer coding than chunks, and one whose target
 * has no known form or a fragment, is refused at once, like what the parser refuses: its record says why.
 */
export function normalizeTarget(request: IncomingMessage, record: RequestRecord, shorten: ShortenPath): void {
  const { url: sent = '' } = request;
  const trouble = troubleWithHost(request) ?? troubleWithTransfer(request);
  const target = trouble === undefined ? originFormOf(sent) : undefined;
  if (target === undefined) {
    const message = trouble ?? 'The request target is not a path with an optional query.';
    record.refusal = new ApiError('bad_request', { message });
    request.url = REFUSED;
    return;
  }
  const isTooLong = sent.length > MAX_TARGET_BYTES;
  record.isTargetTooLong = isTooLong;
  const [path = ''] = target.split('?', 1);
  if (isTooLong || path.length > LONGEST_PATH) request.url = shorten(path);
  else if (path.includes('%') && !isDecodable(path))
    request.url = path.replaceAll('%', '%25') + target.slice(path.length);
  else if (target !== sent) request.url = target;
}

/** Path and query of a target, or `*`; `undefined` for one of no known form. */
function originFormOf(sent: string): string | undefined {
  let target = sent;
  if (!sent.startsWith('/') && sent !== '*') {
    const [matched, rest = '/'] = ABSOLUTE.exec(sent) ?? [];
    if (matched === undefined) return undefined;
    target = rest.startsWith('/') ? rest : `/${rest}`;
  }
  return target.includes('#') ? undefined : target;
}

/** What may stand in a Host field (RFC 9110, section 7.2; RFC 3986, section 3.2.2). */
const HOST = /^[\w\-.~%!$&'()*+,;=:[\]]*$/;

/** Why a request is refused for its Host field: HTTP/1.1 has one (RFC 9112, section 3.2). */
function troubleWithHost({ headers, rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  const { host } = headers;
  if (host === undefined) {
    return httpVersion === '1.1' ? 'An HTTP/1.1 request needs a Host header.' : undefined;
  }
  // Node keeps the first one.
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (isHost(rawHeaders[i])) hosts++;
  return hosts > 1 || !HOST.test(host)
    ? 'A request needs exactly one Host header, with a host name.'
    : undefined;
}

/** Whether this is the name of the field; case does not count. */
function isHost(name = ''): boolean {
  return name.length === 4 && name.toLowerCase() === 'host';
}

/** Bodies are taken in chunks, and in no other transfer coding (RFC 9112, section 6.1). */
function troubleWithTransfer({ headers }: IncomingMessage): string | undefined {
  const coding = headers['transfer-encoding'];
  return coding === undefined || coding.toLowerCase() === 'chunked'
    ? undefined
    : 'The only Transfer-Encoding that is supported is chunked.';
}

function isDecodable(path: string): boolean {
  try {
    // The result is used: a bundler drops a call without a use, although it may throw.
    return typeof decodeURIComponent(path) === 'string';
  } catch {
    return false;
  }
}

/** Refuses targets that are too long, of which the handler would see another: behind the key and the limit. */
@Injectable()
export class TargetInterceptor implements PreHandler {
  /** @throws ApiError uri_too_long */
  admit(context: ExecutionContext): undefined {
    const [request] = context.getArgs<[IncomingMessage]>();
    if (recordOf(request)?.isTargetTooLong === true) throw new ApiError('uri_too_long');
  }

  intercept(context: ExecutionContext, next: CallHandler): ReturnType<CallHandler['handle']> {
    this.admit(context);
    return next.handle();
  }
}
