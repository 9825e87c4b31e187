// The clients of a rehearsal: writers that repeat a request with its Idempotency-Key until it is acknowledged, readers,
// followers of the feed, and a receiver of webhooks. Each notes what it saw.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ORIGIN, until } from './cluster.mjs';

const WRITERS = 4;
/** What a read with each key is counted as. Keys that may write are served by the primary alone. */
const READS = { read: 'replicaRead', write: 'primaryRead', limited: 'limited' };
/** Between two requests of one client. Also after a 503, although it asks for a second: to see the first success. */
const PAUSE_MS = 50;
/** Longer than HAProxy waits for an instance, so that only HAProxy gives up. */
const TIMEOUT_MS = 40_000;
/** The limit of the key that is used as much as it admits. */
export const PER_MINUTE = 300;

const nothing = () => ({ requests: 0, unavailable: 0, inProgress: 0, refused: 0, others: [], successes: [] });

export class Load {
  /** Names of acknowledged animals with their ids, in order. */
  acknowledged = new Map();
  /** Events that the receiver of webhooks was sent, by position, and how often. */
  received = new Map();
  seen = nothing();
  #keys;
  #running = false;
  #clients = [];
  #followers = [];
  #receiver;
  /** Times of the admitted requests of the limited key, and its client. */
  #admitted = [];
  #limited;
  #stopped = false;
  /** The newest animal before the round. */
  #newest = 0;
  /** Animals of an earlier rehearsal have other names. */
  #run = randomUUID().slice(0, 8);

  constructor(keys) {
    this.#keys = keys;
  }

  async start() {
    this.#receiver = createServer(async (request, response) => {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      const { id } = JSON.parse(Buffer.concat(chunks).toString());
      this.received.set(id, (this.received.get(id) ?? 0) + 1);
      response.writeHead(204).end();
    });
    await once(this.#receiver.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${this.#receiver.address().port}/`;
    await this.#mustSend('/v1/webhooks', { method: 'POST', body: JSON.stringify({ url }) });
    this.#newest = (await this.#mustSend('/v1/pets?limit=1')).body[0]?.id ?? 0;
    const [, after] = /after=(\d+)/.exec((await this.#mustSend('/v1/events?after=latest')).link);
    // One reads from a replica, one from the primary.
    for (const key of ['read', 'write']) {
      const state = { key, after: Number(after), names: new Map(), ids: new Set(), breaks: [] };
      this.#followers.push({ state, done: this.#follow(state) });
    }
    this.#limited = this.#exhaust();
  }

  begin(round) {
    this.seen = nothing();
    this.#running = true;
    this.#clients = [
      ...Array.from({ length: WRITERS }, (_, n) => this.#write(`${this.#run} ${round} ${n}`)),
      ...['read', 'write'].map((key) => this.#read(key)),
    ];
  }

  /** Ends the round when every request that was begun is acknowledged. */
  async end() {
    this.#running = false;
    await Promise.race([Promise.all(this.#clients), sleep(120_000, undefined, { ref: false })]);
  }

  async stop() {
    this.#stopped = true;
    await Promise.all([this.#limited, ...this.#followers.map(({ done }) => done)]);
    this.#receiver.close();
    this.#receiver.closeAllConnections();
  }

  /** What is wrong after a round: an empty list of each kind if nothing is. */
  async check() {
    const floor = this.#newest;
    this.#newest = Math.max(floor, ...this.acknowledged.values());
    const names = [...this.acknowledged].filter(([, id]) => id > floor);
    const followers = this.#followers.map(({ state }) => state);
    const complete = () => names.every(([name]) => followers.every((follower) => follower.names.has(name)));
    await until(complete, 60_000, 'the feed').catch(() => undefined);
    const events = new Set(followers.flatMap(({ ids }) => [...ids]));
    const delivered = () => [...events].every((id) => this.received.has(id));
    await until(delivered, 90_000, 'the webhooks').catch(() => undefined);

    const stored = await this.#storedAbove(floor);
    const lost = names.filter(([name, id]) => !(stored.get(name) ?? []).includes(id));
    const doubled = [...stored].filter(([name, ids]) => ids.length > 1 || !this.acknowledged.has(name));
    const feed = followers.flatMap((follower) => {
      const missing = names.filter(([name]) => !follower.names.has(name));
      const repeated = [...follower.names].filter(([, times]) => times > 1);
      return [
        ...follower.breaks.splice(0),
        ...missing.map(([name]) => `${follower.key}: no event of ${name}`),
        ...repeated.map(([name]) => `${follower.key}: two events of ${name}`),
      ];
    });
    const webhooks = [...events].filter((id) => !this.received.has(id));
    return { written: names.length, lost, doubled, feed, webhooks, mostInAMinute: this.#mostInAMinute() };
  }

  /** The most requests of the limited key that were begun and admitted within one minute that ended since the last call. */
  #mostInAMinute() {
    const within = (from) =>
      this.#admitted.filter(({ sentAt, doneAt }) => sentAt >= from && doneAt <= from + 60_000).length;
    const most = Math.max(0, ...this.#admitted.map(({ sentAt }) => within(sentAt)));
    const end = performance.now();
    this.#admitted = this.#admitted.filter(({ sentAt }) => sentAt > end - 60_000);
    return most;
  }

  async #storedAbove(floor) {
    const stored = new Map();
    for (let path = '/v1/pets?limit=100'; path;) {
      const { body: pets, link } = await this.#mustSend(path);
      for (const { id, name } of pets) if (id > floor) stored.set(name, [...(stored.get(name) ?? []), id]);
      path = pets.at(-1)?.id > floor ? /<([^>]+)>; rel="next"/.exec(link)?.[1] : undefined;
    }
    return stored;
  }

  async #write(client) {
    for (let n = 0; this.#running; n++) {
      const [name, token] = [`${client} ${n}`, randomUUID()];
      const request = { method: 'POST', body: JSON.stringify({ name, categoryId: 1 }), token };
      let answer = await this.#send('write', '/v1/pets', request);
      for (const end = performance.now() + 90_000; answer?.status !== 201 && performance.now() < end;) {
        await sleep(PAUSE_MS);
        answer = await this.#send('write', '/v1/pets', request);
      }
      if (answer?.status === 201) this.acknowledged.set(name, answer.body.id);
      await sleep(PAUSE_MS);
    }
  }

  /** Does not wait for one response before the next request: what hangs must not hide what is served. */
  async #read(key) {
    const sent = [];
    while (this.#running) {
      sent.push(this.#send(key, '/v1/pets?limit=20'));
      await sleep(PAUSE_MS);
    }
    await Promise.all(sent);
  }

  /** Uses all that the limited key admits, and waits 2 s when refused, so as not to be banned. */
  async #exhaust() {
    while (!this.#stopped) {
      const sentAt = performance.now();
      const answer = await this.#send('limited', '/v1/pets?limit=1');
      if (answer?.status === 200) this.#admitted.push({ sentAt, doneAt: performance.now() });
      await sleep(answer?.status === 429 ? 2_000 : PAUSE_MS);
    }
  }

  async #follow(state) {
    while (!this.#stopped) {
      const answer = await this.#send(state.key, `/v1/events?after=${state.after}&limit=100`);
      const events = answer?.status === 200 ? answer.body : [];
      for (const { id, data } of events) {
        if (id !== state.after + 1) state.breaks.push(`${state.key}: ${id} after ${state.after}`);
        state.after = id;
        state.ids.add(id);
        state.names.set(data.pet.name, (state.names.get(data.pet.name) ?? 0) + 1);
      }
      await sleep(PAUSE_MS * 4);
    }
  }

  #mustSend(path, options) {
    const succeeded = async () => {
      const answer = await this.#send('write', path, options);
      return answer?.status < 300 && answer;
    };
    return until(succeeded, 30_000, path);
  }

  /** Sends a request and notes what came of it. */
  async #send(key, path, { method = 'GET', body, token } = {}) {
    const headers = { Authorization: `Bearer ${this.#keys[key]}` };
    if (body) headers['Content-Type'] = 'application/json';
    if (token) headers['Idempotency-Key'] = token;
    const init = { method, headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) };
    const sentAt = performance.now();
    const seen = this.seen;
    seen.requests++;
    const note = (what) => void seen.others.push(`${method} ${path.replace(/\d+/, 'n')}: ${what}`);
    try {
      const response = await fetch(ORIGIN + path, init);
      const text = await response.text();
      const { ok, status } = response;
      const answer = {
        status,
        body: text && JSON.parse(text),
        link: response.headers.get('link') ?? '',
      };
      const doneAt = performance.now();
      const kind = method === 'POST' ? 'write' : READS[key];
      if (ok) seen.successes.push({ kind, sentAt, doneAt });
      else if (status === 503 && response.headers.has('retry-after')) seen.unavailable++;
      else if (status === 409) seen.inProgress++;
      else if (status === 429 && key === 'limited') seen.refused++;
      else note(`${status} ${text.slice(0, 100)}`);
      return answer;
    } catch (error) {
      const waited = Math.round(performance.now() - sentAt);
      note(`no response, ${error.cause?.code ?? error.name} after ${waited} ms`);
      return undefined;
    }
  }
}
