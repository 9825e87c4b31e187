import { deprecationNotice } from './deprecation-notice.js';
import { ApiError, NoAnswer, UnexpectedAnswer } from './errors.js';
import { type Answer, exchange } from './exchange.js';
import { parseJson, toJson } from './json.js';
import { type LimitState, readLimitState } from './limit-state.js';
import { pause } from './pause.js';
import { type FailedAttempt, readRetryAfter, type RetryPolicy } from './retry-policy.js';

/** One call of an operation. */
export interface Call {
  readonly operation: string;
  readonly method: 'GET' | 'POST';
  /** Below the base URL, with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Whether carrying it out twice does no harm. */
  readonly repeatable: boolean;
  readonly signal: AbortSignal | undefined;
  /** Milliseconds for one attempt, if not the usual ones. */
  readonly timeoutMs: number | undefined;
}

/** A success: its header fields and its JSON body. */
export interface Success {
  readonly headers: Headers;
  readonly body: unknown;
}

/** Sends calls, again where that is safe, and turns answers into results or errors. */
export class Transport {
  /** What the last answer said of the limits. */
  limits: LimitState | undefined;
  private readonly warned = new Set<string>();

  constructor(
    private readonly settings: {
      readonly baseUrl: string;
      readonly apiKey: string;
      readonly timeoutMs: number;
      readonly retries: RetryPolicy;
      readonly fetch: typeof fetch;
      readonly warn: (message: string) => void;
    },
  ) {}

  /** @throws ApiError, NoAnswer, UnexpectedAnswer; the signal's reason when that is aborted */
  async send(call: Call): Promise<Success> {
    const init = this.init(call);
    for (let retry = 0; ; retry++) {
      const outcome = await this.attempt(call, init);
      if (!(outcome instanceof Error)) return outcome;
      const wait = this.settings.retries.waitBefore(retry, failedAttempt(outcome), call.repeatable);
      if (wait === undefined) throw outcome;
      await pause(wait, call.signal);
    }
  }

  private init({ method, headers = {}, body }: Call): RequestInit {
    return {
      method,
      headers: new Headers({
        Authorization: `Bearer ${this.settings.apiKey}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      }),
      ...(body === undefined ? {} : { body: toJson(body) }),
      credentials: 'omit',
      // The service sends none: whoever does shall not get the key.
      redirect: 'manual',
    };
  }

  private async attempt(
    { operation, path, signal, timeoutMs = this.settings.timeoutMs }: Call,
    init: RequestInit,
  ): Promise<Success | ApiError | NoAnswer | UnexpectedAnswer> {
    const url = this.settings.baseUrl + path;
    let answer: Answer;
    try {
      answer = await exchange(this.settings.fetch, { operation, url, init, timeout: timeoutMs, signal });
    } catch (error) {
      if (error instanceof NoAnswer) return error;
      throw error;
    }
    this.limits = readLimitState(answer.headers) ?? this.limits;
    this.warnOnce(operation, answer.headers);
    return readAnswer(operation, answer);
  }

  private warnOnce(operation: string, headers: Headers): void {
    if (this.warned.has(operation)) return;
    const notice = deprecationNotice(operation, headers);
    if (notice === undefined) return;
    this.warned.add(operation);
    this.settings.warn(notice);
  }
}

function readAnswer(
  operation: string,
  { status, headers, text }: Answer,
): Success | ApiError | UnexpectedAnswer {
  let body: unknown;
  try {
    body = parseJson(text);
  } catch {
    return new UnexpectedAnswer(status, text, operation);
  }
  if (status >= 200 && status < 300) return { headers, body };
  if (!isErrorBody(body)) return new UnexpectedAnswer(status, text, operation);
  const retryAfter = readRetryAfter(headers.get('Retry-After'), Date.now());
  return new ApiError(body.code, body.message, status, operation, {
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfter: retryAfter === undefined ? undefined : Math.ceil(retryAfter / 1000),
    limits: readLimitState(headers),
  });
}

function isErrorBody(body: unknown): body is { code: string; message: string } {
  if (typeof body !== 'object' || body === null) return false;
  const { code, message } = body as Record<string, unknown>;
  return typeof code === 'string' && typeof message === 'string';
}

function failedAttempt(error: ApiError | NoAnswer | UnexpectedAnswer): FailedAttempt {
  if (error instanceof NoAnswer) return { status: undefined, code: undefined, retryAfter: undefined };
  if (error instanceof UnexpectedAnswer) {
    return { status: error.status, code: undefined, retryAfter: undefined };
  }
  const { retryAfter } = error.details;
  return {
    status: error.status,
    code: error.code,
    retryAfter: retryAfter === undefined ? undefined : retryAfter * 1000,
  };
}
