import { describeForeignResponse } from './foreign-response.js';
import { ApiError, PositionGoneError, PreconditionFailedError, UnexpectedResponseError } from './errors.js';
import type { RawResponse } from './exchange.js';
import { parseJson } from './json.js';
import { readLimitState } from './limit-state.js';
import { readRetryAfter } from './retry-policy.js';
import { linkTo } from './web-link.js';

/** A successful response: its header fields, and its JSON body; `undefined` for 204. */
export interface Success {
  readonly headers: Headers;
  readonly body: unknown;
}

/** What the response depends on. */
export interface ResponseContext {
  readonly operation: string;
  /** Where the request was sent. */
  readonly url: string;
  readonly hasNoContent: boolean;
  readonly isAfterUnknownOutcome: boolean;
}

/** The result or the error that a response stands for. */
export function readResponse(
  response: RawResponse,
  { operation, url, hasNoContent, isAfterUnknownOutcome }: ResponseContext,
): Success | ApiError | UnexpectedResponseError {
  const { status, headers, text } = response;
  const unexpected = (): UnexpectedResponseError =>
    new UnexpectedResponseError(describeForeignResponse(response, url), status, text, operation);
  if (hasNoContent && status === 204) return { headers, body: undefined };
  let body: unknown;
  try {
    body = parseJson(text);
  } catch {
    return unexpected();
  }
  if (!hasNoContent && status >= 200 && status < 300) return { headers, body };
  if (!isErrorBody(body)) return unexpected();
  const retryAfter = readRetryAfter(headers.get('Retry-After'), Date.now());
  const error: ConstructorParameters<typeof ApiError> = [
    body.code,
    body.message,
    status,
    operation,
    {
      requestId: headers.get('X-Request-Id') ?? undefined,
      help: linkTo('help', headers, url),
      retryAfter: retryAfter === undefined ? undefined : Math.ceil(retryAfter / 1000),
      limits: readLimitState(headers),
      isAfterUnknownOutcome,
    },
  ];
  if (body.code === 'position_gone') return new PositionGoneError(...error);
  if (body.code === 'precondition_failed') {
    return new PreconditionFailedError(headers.get('ETag') ?? undefined, ...error);
  }
  return new ApiError(...error);
}

function isErrorBody(body: unknown): body is { code: string; message: string } {
  if (typeof body !== 'object' || body === null) return false;
  const { code, message } = body as Record<string, unknown>;
  return typeof code === 'string' && typeof message === 'string';
}
