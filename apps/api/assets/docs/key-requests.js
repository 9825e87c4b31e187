/* global fetch, URL, Headers, setTimeout, clearTimeout, AbortController */
import { parseExactly } from './exact-numbers.js';

// What the key page asks the API, and what came of it.

const TIMEOUT_MS = 20_000;

/** A request that brought nothing to show. */
export class RequestError extends Error {
  /**
   * @param {'form' | 'network' | 'stranger' | 'service' | 'page'} kind not sent as it is no key; no response; a response
   *   in another form than the contract's; an error response; a defect of this page
   */
  constructor(kind, { status, body, headers = new Headers() } = {}) {
    super(kind);
    this.name = 'RequestError';
    this.kind = kind;
    this.status = status;
    this.code = body?.code;
    this.said = body?.message;
    this.retryAfterS = Number(headers.get('retry-after') ?? NaN);
    this.requestId = headers.get('x-request-id');
    this.windows = windowsIn(headers);
  }
}

let address;

/** Where the API is: as the document of this instance says, else beside this page. Never ends with a slash. */
export function apiAddress() {
  address ??= readAddress().catch((error) => {
    // The next request tries again.
    address = undefined;
    throw error;
  });
  return address;
}

async function readAddress() {
  const { body } = await receive(new URL('../openapi.json', import.meta.url));
  const own = body.servers?.[0]?.url ?? '';
  // A path alone does not know of a prefix that a proxy serves it below.
  return URL.canParse(own) ? own.replace(/\/+$/, '') : new URL('../v1', import.meta.url).href;
}

/**
 * Sends GET with the key. Nothing of the response is kept by the browser, and the key follows no redirection.
 *
 * @returns the body, the windows of the key, and when the service responded
 * @throws RequestError
 */
export async function send(path, key, signal) {
  const base = await apiAddress();
  return receive(`${base}/${path}`, signal, { Authorization: `Bearer ${key}` });
}

async function receive(url, signal, headers = {}) {
  const timeout = new AbortController();
  const end = () => timeout.abort();
  const timer = setTimeout(end, TIMEOUT_MS);
  signal?.addEventListener('abort', end);
  try {
    signal?.throwIfAborted();
    const response = await fetch(url, {
      headers,
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
      signal: timeout.signal,
    });
    return read(response, await response.text());
  } catch (error) {
    throw error instanceof RequestError ? error : new RequestError('network');
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

function read({ ok, status, headers }, text) {
  let body;
  try {
    body = parseExactly(text);
  } catch {
    throw new RequestError('stranger', { status, headers });
  }
  if (!ok) throw new RequestError('service', { status, body, headers });
  return { body, windows: windowsIn(headers), at: new Date(headers.get('date') ?? Date.now()) };
}

/** What a response says of the windows: first as the draft of the IETF has it, else as the older fields do. */
function windowsIn(headers) {
  const quotas = new Map(
    [...(headers.get('ratelimit-policy') ?? '').matchAll(/"(\w+)";q=(\d+)/g)].map(([, name, quota]) => [
      name,
      Number(quota),
    ]),
  );
  const windows = [...(headers.get('ratelimit') ?? '').matchAll(/"(\w+)";r=(\d+)(?:;t=(\d+))?/g)].map(
    ([, name, remaining, seconds]) => ({
      name,
      quota: quotas.get(name),
      remaining: Number(remaining),
      moreInS: seconds === undefined ? undefined : Number(seconds),
    }),
  );
  const known = windows.filter(({ quota }) => quota !== undefined);
  return known.length > 0 ? known : oldWindowsIn(headers);
}

function oldWindowsIn(headers) {
  const [quota, remaining] = ['limit', 'remaining'].map((name) => headers.get(`x-ratelimit-${name}`));
  if (quota === null || remaining === null) return [];
  return [{ name: 'window', quota: Number(quota), remaining: Number(remaining), moreInS: undefined }];
}
