/** Limits of a key when the service responded. */
export interface LimitState {
  /** Requests that the tightest window allows (`X-RateLimit-Limit`). */
  readonly limit: number;
  /** Requests that it still admits (`X-RateLimit-Remaining`). */
  readonly remaining: number;
  /** When it admits one more (`X-RateLimit-Reset`). */
  readonly resetAt: Date;
  /** Each window by itself; empty where a browser hides the header fields from a page of another origin. */
  readonly windows: readonly LimitWindow[];
}

/** One sliding window (`RateLimit-Policy` and `RateLimit`). */
export interface LimitWindow {
  /** `minute` or `day`. */
  readonly name: string;
  /** Requests that it allows. */
  readonly quota: number;
  /** Its length in seconds. */
  readonly seconds: number;
  readonly remaining: number;
  /** Seconds until it admits more. */
  readonly resetSeconds: number;
}

/** State of the limits in a response; `undefined` if it has none, or fields of another meaning. */
export function readLimitState(headers: Headers): LimitState | undefined {
  const fields = ['Limit', 'Remaining', 'Reset'].map((what) => headers.get(`X-RateLimit-${what}`) ?? '');
  if (!fields.every((field) => /^\d{1,11}$/.test(field))) return undefined;
  const [limit = 0, remaining = 0, reset = 0] = fields.map(Number);
  return {
    limit,
    remaining,
    resetAt: new Date(reset * 1000),
    windows: readWindows(headers.get('RateLimit-Policy') ?? '', headers.get('RateLimit') ?? ''),
  };
}

function readWindows(policy: string, state: string): LimitWindow[] {
  const states = parseItems(state);
  return [...parseItems(policy)].map(([name, { q = 0, w = 0 }]) => {
    const { r = 0, t = 0 } = states.get(name) ?? {};
    return { name, quota: q, seconds: w, remaining: r, resetSeconds: t };
  });
}

/** `"minute";q=60;w=60, "day";q=1000;w=86400` (RFC 9651), as far as these two fields use it. */
function parseItems(field: string): Map<string, Partial<Record<string, number>>> {
  return new Map(
    [...field.matchAll(/"([^"]*)"((?:;[a-z]+=\d+)*)/g)].map(([, name = '', parameters = '']) => [
      name,
      Object.fromEntries(
        [...parameters.matchAll(/;([a-z]+)=(\d+)/g)].map(([, key = '', value]) => [key, Number(value)]),
      ),
    ]),
  );
}
