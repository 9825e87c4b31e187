import { deprecationNotice } from './deprecation-notice.js';
import { type ApiError, NoAnswerError, UnexpectedResponseError } from './errors.js';
import { exchange, type RawResponse } from './exchange.js';
import { toJson } from './json.js';
import type { LimitState } from './limit-state.js';
import { pause } from './pause.js';
import { readResponse, type Success } from './read-response.js';
import { responseInfo, type ResponseObserver } from './response-info.js';
import { type FailedAttempt, mayHaveActed, type RetryPolicy } from './retry-policy.js';

/** One call of an operation. */
export interface Call {
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base URL, with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Whether its success is 204, which has no body; otherwise it always has one. */
  readonly hasNoContent?: boolean;
  /** Whether carrying it out twice does no harm. */
  readonly repeatable: boolean;
  readonly signal: AbortSignal | undefined;
  /** Milliseconds for one attempt, if not the usual ones. */
  readonly timeoutMs: number | undefined;
  /** Told of each response, besides the observer of the client. */
  readonly onResponse: ResponseObserver | undefined;
}

type Failure = ApiError | NoAnswerError | UnexpectedResponseError;

/** Sends calls, retries them where that is safe, and turns responses into results or errors. */
export class Transport {
  /** State of the limits in the last response. */
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
      readonly onResponse: ResponseObserver | undefined;
    },
  ) {}

  /** @throws ApiError, NoAnswerError, UnexpectedResponseError; the signal's reason when that is aborted */
  async send(call: Call): Promise<Success> {
    const init = this.init(call);
    let isAfterUnknownOutcome = false;
    for (let retry = 0; ; retry++) {
      const outcome = await this.attempt(call, init, isAfterUnknownOutcome);
      if (!(outcome instanceof Error)) return outcome;
      const failed = failedAttempt(outcome);
      const wait = this.settings.retries.waitBefore(retry, failed, call.repeatable);
      if (wait === undefined) throw outcome;
      isAfterUnknownOutcome ||= mayHaveActed(failed);
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
      // The service never redirects: another server must not get the key.
      redirect: 'manual',
    };
  }

  private async attempt(
    { operation, path, hasNoContent = false, signal, timeoutMs = this.settings.timeoutMs, onResponse }: Call,
    init: RequestInit,
    isAfterUnknownOutcome: boolean,
  ): Promise<Success | Failure> {
    const url = this.settings.baseUrl + path;
    let response: RawResponse;
    try {
      response = await exchange(this.settings.fetch, { operation, url, init, timeoutMs, signal });
    } catch (error) {
      if (error instanceof NoAnswerError) return error;
      throw error;
    }
    const info = responseInfo(operation, response.status, response.headers);
    this.limits = info.limits ?? this.limits;
    this.warnOnce(operation, response.headers);
    this.settings.onResponse?.(info);
    onResponse?.(info);
    return readResponse(response, { operation, url, hasNoContent, isAfterUnknownOutcome });
  }

  private warnOnce(operation: string, headers: Headers): void {
    if (this.warned.has(operation)) return;
    const notice = deprecationNotice(operation, headers);
    if (notice === undefined) return;
    this.warned.add(operation);
    this.settings.warn(notice);
  }
}

function failedAttempt(error: Failure): FailedAttempt {
  if (error instanceof NoAnswerError) {
    return { status: undefined, code: undefined, retryAfter: undefined };
  }
  if (error instanceof UnexpectedResponseError) {
    return { status: error.status, code: undefined, retryAfter: undefined };
  }
  const { retryAfter } = error.details;
  return {
    status: error.status,
    code: error.code,
    retryAfter: retryAfter === undefined ? undefined : retryAfter * 1000,
  };
}
