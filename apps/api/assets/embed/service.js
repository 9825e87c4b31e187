const LONGEST_WAIT_SECONDS = 60;

/** An error whose detail is that of the `error` event. @param text what the service says of it, for the console */
const failure = (code, status, requestId = '', text = '') =>
  Object.assign(new Error(code), { detail: { code, status, requestId }, text });

/** The service that has the animals, asked with the key of the page. */
export class Service {
  /** Milliseconds since 1970; it wants no request before. */
  notBefore = 0;
  /** No page that only looks whether something is new asks before: of the plan's minute or day, little is left. */
  sparedUntil = 0;
  #base;
  #key;

  constructor(base, key) {
    this.#base = base;
    this.#key = key;
  }

  /**
   * One page of a list; `undefined` when it is still the one of this tag.
   *
   * @throws Error with the detail of an `error` event
   */
  async list(query, signal, tag) {
    const { origin, pathname } = this.#base;
    const url = `${origin}${pathname.replace(/\/$/, '')}/v1/pets?${new URLSearchParams(query)}`;
    const headers = {
      Authorization: `Bearer ${this.#key}`,
      ...(tag !== undefined && { 'If-None-Match': tag }),
    };
    const response = await fetch(url, { headers, credentials: 'omit', signal }).catch(() => undefined);
    if (response === undefined) throw failure('network_error', 0);
    const { status } = response;
    const field = (name) => response.headers.get(name) ?? '';
    this.#note(status, field);
    if (status === 304) return undefined;
    const answer = await response
      .text()
      .then(parse)
      .catch(() => undefined);
    if (!response.ok)
      throw failure(answer?.code || 'invalid_response', status, field('X-Request-Id'), answer?.message);
    if (!Array.isArray(answer)) throw failure('invalid_response', status, field('X-Request-Id'));
    const [, target] = /<([^>]*)>; rel="next"/.exec(field('Link')) ?? [];
    const cursor = target && new URL(target, this.#base).searchParams.get('cursor');
    return { animals: answer, cursor: cursor || undefined, tag: field('ETag') || undefined };
  }

  /**
   * The same for a person who waits: as late as the service wants it, and once more when it refuses.
   *
   * @param onWait called before a wait
   */
  async listPatiently(query, signal, onWait) {
    await this.#wait(signal, onWait);
    try {
      return await this.list(query, signal);
    } catch (error) {
      if (![429, 503].includes(error.detail?.status) || !(await this.#wait(signal, onWait))) throw error;
      return this.list(query, signal);
    }
  }

  /** Whether there was something to wait for that is not too long. */
  async #wait(signal, onWait) {
    const ms = this.notBefore - Date.now();
    if (ms <= 0 || ms > LONGEST_WAIT_SECONDS * 1000 || signal.aborted) return false;
    onWait();
    await new Promise((resolve) => {
      setTimeout(resolve, ms);
      signal.addEventListener('abort', resolve);
    });
    return true;
  }

  #note(status, field) {
    const seconds = Number(field('Retry-After') || NaN);
    if ([429, 503].includes(status) && seconds >= 0) this.notBefore = Date.now() + seconds * 1000;
    const quotas = numbersIn(field('RateLimit-Policy'), 'q');
    const limits = field('RateLimit');
    numbersIn(limits, 'r').forEach((left, at) => {
      if (left < quotas[at] / 10)
        this.sparedUntil = Math.max(this.sparedUntil, Date.now() + numbersIn(limits, 't')[at] * 1000);
    });
  }
}

/** Of `"minute";r=59;t=60, "day";r=900;t=86400` the numbers of a letter. */
const numbersIn = (field, letter) =>
  [...field.matchAll(new RegExp(`;${letter}=(\\d+)`, 'g'))].map(([, digits]) => Number(digits));

/** Reads JSON with whole numbers that JavaScript would round as texts. A string may lack its end, so that it takes linear time. */
const parse = (json) =>
  JSON.parse(
    json.replace(/"(?:[^"\\]|\\.)*"?|[\d.eE+-]+/g, (part) => (/^\d{16,}$/.test(part) ? `"${part}"` : part)),
  );
