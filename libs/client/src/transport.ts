import {
  type CallOptions,
  type PetStoreClientOptions,
  readBaseUrl,
  type ResponseInfo,
  type ResponseObserver,
} from './client-options.js';
import type { operations } from './contract.generated.js';
import { isApiError, NoResponseError, PetStoreError } from './errors.js';
import { exactMembers, toJson } from './json.js';
import { type LimitState, readLimitState } from './limit-state.js';
import { brokenList, nextOf } from './pagination.js';
import { LONGEST_TIMER_MS, onAbort, pause } from './pause.js';
import { type RawResponse, readResponse } from './read-response.js';
import { deprecationNotice, keepTag } from './response-headers.js';
import { mayHaveActed, RetryPolicy } from './retry-policy.js';

/** What a request of an operation is made of. */
export interface Call {
  /** `GET` unless given; the success of `DELETE` is 204, without a body. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base URL. */
  readonly path: string;
  readonly query?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | undefined;
  /** Whether carrying it out twice does no harm; unless given, that is so for every method but `POST`. */
  readonly repeatable?: boolean;
  /** A member that the result has, or each item of it, if it is a list; `id` unless given, `null` if none is certain. */
  readonly member?: string | null;
  readonly isList?: boolean;
}

type Operation = keyof operations;

type Responses<Op extends Operation> = operations[Op]['responses'];

/** The body of an operation's success. */
type Result<Op extends Operation> = Responses<Op>[keyof Responses<Op> & (200 | 201 | 202)] extends {
  readonly content: { readonly 'application/json': infer Body };
}
  ? Body
  : never;

/** Reason of an abort by the time limit. */
const TIMED_OUT = Symbol('timed out');

/**
 * Sends calls, retries them where that is safe, and turns responses into results or errors. Each method throws ApiError,
 * NoResponseError or UnexpectedResponseError; RangeError for an inexact number where the contract has an int64; and the
 * reason of an aborted signal.
 */
export class Transport {
  /** State of the limits in the last response. */
  limits: LimitState | undefined;
  private readonly baseUrl: string;
  private readonly apiKey: string;
  private readonly timeoutMs: number;
  private readonly fetch: typeof fetch;
  private readonly warn: (message: string) => void;
  private readonly onResponse: ResponseObserver | undefined;
  private readonly retryPolicy: RetryPolicy;
  private readonly warned = new Set<string>();

  constructor(options: PetStoreClientOptions) {
    this.baseUrl = readBaseUrl(options.baseUrl);
    this.apiKey = options.apiKey;
    this.timeoutMs = options.timeoutMs ?? 10_000;
    this.fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.warn = options.warn ?? console.warn;
    this.onResponse = options.onResponse;
    this.retryPolicy = new RetryPolicy(options.maxRetries ?? 5, options.maxWaitMs ?? 90_000);
  }

  async send<Op extends Operation>(operation: Op, call: Call, options: CallOptions): Promise<Result<Op>> {
    return (await this.request(operation, call, options)).body;
  }

  /** One page of a list, and the cursor of the next one. */
  async list<Op extends Operation>(
    operation: Op,
    path: string,
    query: object,
    options: CallOptions,
  ): Promise<{ readonly items: Result<Op>; readonly next: string | undefined }> {
    const { response, body } = await this.request(operation, { path, query, isList: true }, options);
    const next = nextOf(response, 'cursor', operation);
    // An empty page with a link could lead to a list without an end.
    if (next !== undefined && Array.isArray(body) && body.length === 0)
      throw brokenList('The page is empty, and not the last one', operation, response);
    return { items: body, next };
  }

  /** Removes a resource. One that is gone after an attempt whose outcome is unknown was removed, if not by it. */
  async remove(
    operation: Operation,
    path: string,
    headers: Readonly<Record<string, string>>,
    options: CallOptions,
  ): Promise<void> {
    try {
      await this.send(operation, { method: 'DELETE', path, headers }, options);
    } catch (error) {
      const isGone = isApiError(error) && error.status === 404;
      if (!isGone || !error.details.isAfterUnknownOutcome) throw error;
    }
  }

  /** The response of a success, and its body. */
  async request<Op extends Operation>(
    operation: Op,
    call: Call,
    options: CallOptions,
  ): Promise<{ readonly response: RawResponse; readonly body: Result<Op> }> {
    const { method = 'GET', repeatable = method !== 'POST', member = 'id', isList = false } = call;
    const expected = { member: method === 'DELETE' ? undefined : member, isList };
    const url = this.urlOf(call);
    const init = this.initOf(call, method);
    let isAfterUnknownOutcome = false;
    for (let retry = 0; ; retry++) {
      try {
        const response = await this.exchange(operation, url, init, options);
        const info = this.observe(operation, response, options);
        const body = readResponse(response, info, expected, isAfterUnknownOutcome);
        keepTag(body, response.headers);
        return { response, body: body as Result<Op> };
      } catch (error) {
        if (!(error instanceof PetStoreError)) throw error;
        const waitMs = this.retryPolicy.waitBefore(retry, error, repeatable);
        if (waitMs === undefined) throw error;
        isAfterUnknownOutcome ||= mayHaveActed(error);
        await pause(waitMs, options.signal);
      }
    }
  }

  private urlOf({ path, query = {} }: Call): string {
    const parameters = Object.entries(exactMembers(query)).map(([name, value]) => [name, String(value)]);
    return (
      this.baseUrl + path + (parameters.length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`)
    );
  }

  private initOf({ headers, body }: Call, method: string): RequestInit {
    return {
      method,
      headers: new Headers({
        Authorization: `Bearer ${this.apiKey}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      }),
      ...(body !== undefined && { body: toJson(exactMembers(body)) }),
      credentials: 'omit',
      // The service never redirects: another server must not get the key.
      redirect: 'manual',
    };
  }

  /**
   * Sends a request once.
   *
   * @throws NoResponseError when the connection fails or the time is up; the signal's reason when that is aborted
   */
  private async exchange(
    operation: string,
    url: string,
    init: RequestInit,
    { signal, timeoutMs = this.timeoutMs }: CallOptions,
  ): Promise<RawResponse> {
    signal?.throwIfAborted();
    // Called as a function below: that of browsers is refused as a method of any object but the global one.
    const { fetch } = this;
    const controller = new AbortController();
    const timer = setTimeout(
      () => {
        controller.abort(TIMED_OUT);
      },
      Math.min(timeoutMs, LONGEST_TIMER_MS),
    );
    const end = onAbort(signal, () => {
      controller.abort();
    });
    try {
      const response = await fetch(url, { ...init, signal: controller.signal });
      return { url, status: response.status, headers: response.headers, text: await response.text() };
    } catch (error) {
      signal?.throwIfAborted();
      throw controller.signal.reason === TIMED_OUT
        ? new NoResponseError('timeout', `No response within ${timeoutMs} ms.`, operation, error)
        : new NoResponseError(
            'connection',
            `The connection to ${new URL(url).host} failed.`,
            operation,
            error,
          );
    } finally {
      clearTimeout(timer);
      end();
    }
  }

  /** Takes from a response what it says beside its result, and tells the observers. */
  private observe(
    operation: string,
    { url, status, headers }: RawResponse,
    { onResponse }: CallOptions,
  ): ResponseInfo {
    const requestId = headers.get('X-Request-Id') ?? undefined;
    const info = { operation, status, requestId, limits: readLimitState(headers) };
    this.limits = info.limits ?? this.limits;
    const notice = this.warned.has(operation) ? undefined : deprecationNotice(operation, headers, url);
    if (notice !== undefined) {
      this.warned.add(operation);
      this.warn(notice);
    }
    this.onResponse?.(info);
    onResponse?.(info);
    return info;
  }
}
