import type { LimitState } from './limit-state.js';
import { urlOf } from './url-of.js';

/** What a response says beside its result, for logs. */
export interface ResponseInfo {
  /** Name of the operation, such as `createPet`. */
  readonly operation: string;
  readonly status: number;
  /** Quote it when asking the operators (`X-Request-Id`); `undefined` where something else than the service responded. */
  readonly requestId: string | undefined;
  readonly limits: LimitState | undefined;
}

/** Takes {@link ResponseInfo}. It must not throw: an error of it is the error of the call. */
export type ResponseObserver = (info: ResponseInfo) => void;

export interface PetStoreClientOptions {
  /** Where the API is; ends in the version: `http://127.0.0.1:3000/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Milliseconds that one attempt may take until its whole response has arrived; 10,000 unless given. */
  readonly timeoutMs?: number;
  /** How many times a request is sent again when that is safe; 5 unless given, 0 for never. */
  readonly maxRetries?: number;
  /**
   * Longest `Retry-After`, in milliseconds, that is waited for; 90,000 unless given: the client waits for a window of a
   * minute, and a used-up day is an error at once.
   */
  readonly maxWaitMs?: number;
  /** Called once for each deprecated operation that is used; `console.warn` unless given. */
  readonly warn?: (message: string) => void;
  /** Called with each response, those of failed attempts included, before the call settles. */
  readonly onResponse?: ResponseObserver;
  /** Another `fetch` than that of the platform. */
  readonly fetch?: typeof fetch;
}

/** Settings of one call. */
export interface CallOptions {
  /** Ends the call, its waits included: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** As in {@link PetStoreClientOptions}, for this call. */
  readonly timeoutMs?: number;
  /** Called with each response of this call, besides the one of {@link PetStoreClientOptions}. */
  readonly onResponse?: ResponseObserver;
}

export interface CreateOptions extends CallOptions {
  /**
   * Value of `Idempotency-Key`, 1 to 255 visible ASCII characters; a random one unless given. Give it to be able to
   * repeat the call after a restart of the program. `false` sends none, and then a creation that may have been executed
   * is never repeated.
   */
  readonly idempotencyKey?: string | false;
}

export interface WriteOptions extends CallOptions {
  /**
   * Entity tag of the state that the write is based on, from `etagOf` or a `PreconditionFailedError`: in another
   * state nothing is changed. Without it the write goes ahead (`docs/contract.md`, "Writes to a known state").
   */
  readonly ifMatch?: string;
}

export interface PutOptions extends WriteOptions {
  /** `*` only makes what does not exist; what exists is left as it is, and the call fails as with `ifMatch`. */
  readonly ifNoneMatch?: '*';
}

export interface ReasonOptions extends CallOptions {
  /** Why the order ends, for people: 1 to 255 characters. */
  readonly reason?: string | undefined;
}

export interface RotateOptions extends CallOptions {
  /** Hours for which deliveries are also signed with the previous secret: 0 to 168, 24 unless given. */
  readonly overlapHours?: number | undefined;
}

export interface FollowOptions extends CallOptions {
  /**
   * Milliseconds from one request to the next when there are no more events. Unless given, requests use at most half of
   * each window of the key: 1,000 or more, 172,800 on the Free plan.
   */
  readonly pollMs?: number;
}

/**
 * The base URL without a slash at its end.
 *
 * @throws TypeError for what is no address of an API of this version; the message has no password
 */
export function readBaseUrl(baseUrl: string): string {
  const wanted = 'it must be the address of the API with its version, such as http://127.0.0.1:3000/v1';
  const url = urlOf(baseUrl);
  if (url === undefined) throw new TypeError(`baseUrl is not an absolute URL: ${wanted}.`);
  const { protocol, origin, pathname, search, hash, username, password } = url;
  const path = pathname.replace(/\/+$/, '');
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new TypeError(`baseUrl has the protocol ${protocol} and not http: or https:.`);
  if (!path.endsWith('/v1'))
    throw new TypeError(`baseUrl is ${origin}${pathname}: /v1 is missing at its end; ${wanted}.`);
  if ([search, hash, username, password].some((part) => part !== ''))
    throw new TypeError(`baseUrl has a user, a query or a fragment: ${wanted}.`);
  return origin + path;
}

/**
 * The header fields for a conditional write.
 *
 * @throws TypeError if a condition is given but is none: the write would go ahead in any state
 */
export function preconditionsOf(options: PutOptions): Record<string, string> {
  const headers: Record<string, string> = {};
  // Programs in JavaScript, or with laxer settings of the compiler, can pass what is none.
  const { ifMatch, ifNoneMatch }: { readonly ifMatch?: unknown; readonly ifNoneMatch?: unknown } = options;
  if ('ifMatch' in options) {
    if (typeof ifMatch !== 'string' || ifMatch === '') throw new TypeError('ifMatch must be an entity tag.');
    headers['If-Match'] = ifMatch;
  }
  if ('ifNoneMatch' in options) {
    if (ifNoneMatch !== '*') throw new TypeError('ifNoneMatch must be *.');
    headers['If-None-Match'] = ifNoneMatch;
  }
  return headers;
}

/** What all creations share: an idempotency key, so that they may be sent again. */
export function creationOf({ idempotencyKey = randomKey() }: CreateOptions): {
  readonly headers: Record<string, string>;
  readonly repeatable: boolean;
} {
  if (idempotencyKey === false) return { headers: {}, repeatable: false };
  return { headers: { 'Idempotency-Key': idempotencyKey }, repeatable: true };
}

/** 128 random bits; crypto.randomUUID is missing on pages without TLS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
