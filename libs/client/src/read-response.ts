import type { ResponseInfo } from './client-options.js';
import { ApiError, PositionGoneError, PreconditionFailedError, UnexpectedResponseError } from './errors.js';
import { parseJson } from './json.js';
import { helpLink } from './response-headers.js';
import { readRetryAfter } from './retry-after.js';

/** A response whose body has arrived whole. */
export interface RawResponse {
  /** Where the request was sent. */
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Most characters of a foreign text that a message repeats. */
const EXCERPT = 100;

/** Most characters of a body that are searched for something to repeat. */
const SEARCHED = 4_096;

/** Success of an operation. */
export interface Expected {
  /**
   * A member that the resource has, or each resource of the list; `null` if none is certain. `undefined`: success is 204,
   * otherwise it has a body.
   */
  readonly member: string | null | undefined;
  readonly isList: boolean;
}

/**
 * The JSON body of a success; `undefined` for 204.
 *
 * @throws ApiError, UnexpectedResponseError
 */
export function readResponse(
  response: RawResponse,
  { operation, requestId, limits }: ResponseInfo,
  expected: Expected,
  isAfterUnknownOutcome: boolean,
): unknown {
  const { url, status, headers, text } = response;
  if (expected.member === undefined && status === 204) return undefined;
  const body = parsed(text);
  if (status >= 200 && status < 300 && isResult(body, expected)) return body;
  const retryAfter = readRetryAfter(headers, Date.now());
  if (status < 400 || !isErrorBody(body))
    throw new UnexpectedResponseError(describeForeignResponse(response), status, text, operation, retryAfter);
  const help = helpLink(headers, url);
  const details = { requestId, help, retryAfter, limits, isAfterUnknownOutcome };
  const error = [body.code, body.message, status, operation, details] as const;
  if (body.code === 'position_gone') throw new PositionGoneError(...error);
  if (body.code === 'precondition_failed')
    throw new PreconditionFailedError(headers.get('ETag') ?? undefined, ...error);
  throw new ApiError(...error);
}

/** `undefined` for what is not JSON, which has no `undefined`. */
function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** A proxy may send JSON, too. */
function isResult(body: unknown, { member, isList }: Expected): boolean {
  if (member === undefined || Array.isArray(body) !== isList) return false;
  return [body]
    .flat()
    .every((resource) => isObject(resource) && (member === null || resource[member] !== undefined));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isErrorBody(body: unknown): body is { code: string; message: string } {
  if (!isObject(body)) return false;
  const { code, message } = body;
  return typeof code === 'string' && typeof message === 'string';
}

/**
 * Describes a response that the service did not send: a page of a gateway, a redirect to a login, or an API elsewhere.
 */
function describeForeignResponse({ url, status, headers, text }: RawResponse): string {
  const [type = ''] = (headers.get('Content-Type') ?? '').split(';');
  const location = headers.get('Location');
  const said = excerptOf(text);
  const facts = [
    `status ${status}`,
    ...(type === '' ? [] : [type.slice(0, EXCERPT)]),
    ...(location === null ? [] : [`to ${location.slice(0, EXCERPT)}`]),
    ...(said === '' ? [] : [JSON.stringify(said)]),
  ];
  return `The response of ${new URL(url).host} (${facts.join(', ')}) is not one of the service. Something in between has responded, such as a proxy, or baseUrl leads elsewhere.`;
}

/** The title of an HTML page, or else the beginning of the text. */
function excerptOf(text: string): string {
  const start = text.slice(0, SEARCHED);
  const title = /<title[^>]*>([^<]*)</i.exec(start)?.[1];
  const words = (title ?? start.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ').trim();
  return words.length > EXCERPT ? `${words.slice(0, EXCERPT)}...` : words;
}
