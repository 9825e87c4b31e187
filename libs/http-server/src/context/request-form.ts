import type { Request } from 'express';
import type { IncomingMessage, RequestListener } from 'node:http';
import { ApiError } from '../errors/api-error.js';
import {
  type HttpErrorCode,
  MAX_HEADER_BYTES,
  MAX_HEADER_FIELDS,
  MAX_TARGET_BYTES,
} from '../errors/http.errors.js';
import { isDecodable } from './percent-escapes.js';

/**
 * Refuses requests whose form is wrong, like what the parser refuses: before the key is looked at. It comes behind CORS, so
 * that a page can read the refusal. What it lets pass has a target that Express can read.
 *
 * @throws ApiError headers_too_large, uri_too_long, bad_request
 */
export function requireForm(request: Request): void {
  const { rawHeaders, originalUrl, url } = request;
  if (rawHeaders.length > 2 * MAX_HEADER_FIELDS)
    throw refusal('headers_too_large', `A request may have at most ${MAX_HEADER_FIELDS} header fields.`);
  if (bytesOf(rawHeaders) > MAX_HEADER_BYTES) throw refusal('headers_too_large');
  if (originalUrl.length > MAX_TARGET_BYTES) throw refusal('uri_too_long');
  const message = troubleWithHost(request) ?? troubleWithTransfer(request);
  if (message !== undefined) throw refusal('bad_request', message);
  if (!isOriginForm(url))
    throw refusal('bad_request', 'The request target is not a path with an optional query.');
  request.url = withPlainPercents(url);
}

/** The connection is closed behind it, as behind what the parser refuses. */
function refusal(code: HttpErrorCode, message?: string): ApiError {
  return new ApiError(code, { ...(message !== undefined && { message }), headers: { Connection: 'close' } });
}

/** Bytes of header fields as they are sent: node reads each byte as a character. */
function bytesOf(rawHeaders: readonly string[]): number {
  let bytes = rawHeaders.length * 2;
  for (const text of rawHeaders) bytes += text.length;
  return bytes;
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

/** A target in absolute form: its authority, which has no user information, and the rest (RFC 9112, section 3.2.2). */
const ABSOLUTE = /^https?:\/\/[^/?#@\\]+([/?].*)?$/is;

/** Stands for a target of no known form: Express takes it for a path, and no client can be served at it. */
const UNKNOWN = '/#';

/** Hands requests over with {@link toOriginForm} of their targets: Express answers in its own form where it finds no path. */
export function inOriginForm(handle: RequestListener): RequestListener {
  return (request, response) => {
    request.url = toOriginForm(request.url ?? '');
    handle(request, response);
  };
}

/**
 * The target of a request as a path and a query, or `*` (origin form, RFC 9112, section 3.2.1): of the absolute form only
 * these are kept, since this server has one authority.
 */
export function toOriginForm(sent: string): string {
  if (sent.startsWith('/') || sent === '*') return sent;
  const [matched, rest = '/'] = ABSOLUTE.exec(sent) ?? [];
  if (matched === undefined) return UNKNOWN;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Whether what {@link toOriginForm} returns is a target that a client may send. */
function isOriginForm(target: string): boolean {
  return !target.includes('#');
}

/**
 * A target in which a `%` of the path that starts no escape of valid UTF-8 is taken as the character itself; Express would
 * refuse it before the key is checked.
 */
function withPlainPercents(target: string): string {
  if (!target.includes('%')) return target;
  const [path = ''] = target.split('?', 1);
  if (isDecodable(path)) return target;
  return path.replaceAll('%', '%25') + target.slice(path.length);
}
