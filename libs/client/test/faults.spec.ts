import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '@petstore/test-servers';
import {
  NoAnswerError,
  PetStoreClient,
  type PetStoreClientOptions,
  UnexpectedResponseError,
} from '../src/index.js';
import { proxiedStore } from './proxied-store.js';

const running = proxiedStore();
let key: string;
let animal = 0;

beforeAll(async () => {
  key = await running.store.issueKey();
});
beforeEach(() => {
  running.proxy.reset();
});

const connect = (options: Partial<PetStoreClientOptions> = {}): PetStoreClient =>
  new PetStoreClient({ baseUrl: `${running.proxy.origin}/v1`, apiKey: key, ...options });

const newPet = () => ({ name: `fault ${++animal}`, categoryId: 1n });

async function countOf(name: string): Promise<number> {
  let count = 0;
  for await (const pet of connect().pets()) if (pet.name === name) count++;
  return count;
}

const error = (status: number, code: string, headers = {}) => ({
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify({ code, message: 'Made up.', status }),
});
const REFUSED = error(429, 'rate_limit_exceeded', { 'Retry-After': '1' });
const UNAVAILABLE = error(503, 'service_unavailable');

const HARM: [string, Fault][] = [
  ['the connection breaks before the request', { kind: 'cut' }],
  ['the connection breaks after the work', { kind: 'cut-after-work' }],
  ['the response breaks off', { kind: 'truncate' }],
  ['503 before the work', { kind: 'answer', answer: UNAVAILABLE }],
  ['503 after the work', { kind: 'answer-after-work', answer: UNAVAILABLE }],
  [
    'a gateway says 502 in HTML',
    { kind: 'answer-after-work', answer: { status: 502, body: '<h1>Bad</h1>' } },
  ],
  ['the response does not come in time', { kind: 'hang' }],
];

describe('a client on an unreliable connection', () => {
  it.each(HARM)('creates exactly one animal when %s', async (_name, fault) => {
    const pet = newPet();
    running.proxy.next(fault);
    const created = await connect({ timeoutMs: 500 }).createPet(pet);
    expect(created).toEqual({ ...pet, id: expect.anything(), status: 'available' });
    const keys = running.proxy.seen().map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(await countOf(pet.name)).toBe(1);
  });

  it.each(HARM)('does not repeat a creation without a key when %s', async (_name, fault) => {
    running.proxy.next(fault);
    const attempt = connect({ timeoutMs: 500 }).createPet(newPet(), { idempotencyKey: false });
    await expect(attempt).rejects.toThrow();
    const [request, ...more] = running.proxy.seen();
    expect(request?.headers).not.toHaveProperty('idempotency-key');
    expect(more).toEqual([]);
  });

  it.each(HARM)('lists all the same when %s', async (_name, fault) => {
    running.proxy.next(fault);
    const { pets } = await connect({ timeoutMs: 500 }).listPets({ limit: 1 });
    expect(pets).toHaveLength(1);
  });

  it('waits what a 429 asks for before it comes back, without a key too', async () => {
    running.proxy.next({ kind: 'answer', answer: REFUSED });
    await connect().createPet(newPet(), { idempotencyKey: false });
    const [first, second] = running.proxy.seen();
    const waited = (second?.at ?? 0) - (first?.at ?? 0);
    expect(waited).toBeGreaterThanOrEqual(999);
  });

  it('tries again while the first request is still being worked on', async () => {
    const pet = newPet();
    running.proxy.next({
      kind: 'answer',
      answer: error(409, 'idempotency_in_progress', { 'Retry-After': '1' }),
    });
    await connect().createPet(pet);
    expect(await countOf(pet.name)).toBe(1);
  });

  it('says no at once when a used-up day would have to be waited for', async () => {
    running.proxy.next({
      kind: 'answer',
      answer: error(429, 'rate_limit_exceeded', { 'Retry-After': '3600', 'X-Request-Id': 'made-up-id' }),
    });
    await expect(connect().listPets()).rejects.toMatchObject({
      name: 'ApiError',
      code: 'rate_limit_exceeded',
      status: 429,
      operation: 'listPets',
      details: { retryAfter: 3600, requestId: 'made-up-id' },
    });
    expect(running.proxy.seen()).toHaveLength(1);
  });

  it('gives up after its retries, with the last error', async () => {
    running.proxy.next(...Array.from({ length: 3 }, (): Fault => ({ kind: 'cut' })));
    const failure = await connect({ maxRetries: 2 })
      .listPets()
      .catch((reason: unknown) => reason);
    expect(failure).toBeInstanceOf(NoAnswerError);
    expect(failure).toMatchObject({ reason: 'connection', operation: 'listPets' });
    expect(running.proxy.seen()).toHaveLength(3);
  });

  it('tells a time-out from a broken connection', async () => {
    running.proxy.next({ kind: 'hang' });
    const arrival = running.proxy.arrival();
    const attempt = connect({ maxRetries: 0 }).listPets({}, { timeoutMs: 500 });
    await expect(attempt).rejects.toMatchObject({ name: 'NoAnswerError', reason: 'timeout' });
    await arrival;
  });

  it.each([
    [
      '200 in HTML',
      {
        status: 200,
        headers: { 'Content-Type': 'text/html; charset=utf-8' },
        body: '<html><head><title>Sign\n in</title></head><body>Portal</body></html>',
      },
      '(status 200, text/html, "Sign in")',
    ],
    [
      'a page without a title',
      {
        status: 404,
        headers: { 'Content-Type': 'text/html' },
        body: `<h1>Not   here</h1>${'x'.repeat(999)}`,
      },
      `(status 404, text/html, "Not here ${'x'.repeat(91)}...")`,
    ],
    [
      'a redirection',
      { status: 307, headers: { Location: 'https://elsewhere.example/' } },
      '(status 307, to https://elsewhere.example/)',
    ],
    [
      'JSON that is no error',
      { status: 500, body: '{"oops":true}' },
      String.raw`(status 500, "{\"oops\":true}")`,
    ],
  ])('takes %s for what it is, without a retry, and says what it is', async (_name, answer, facts) => {
    running.proxy.next({ kind: 'answer', answer });
    const failure = await connect()
      .listPets()
      .catch((reason: unknown) => reason);
    expect(failure).toBeInstanceOf(UnexpectedResponseError);
    expect(failure).toMatchObject({
      status: answer.status,
      message: `The response of ${new URL(running.proxy.origin).host} ${facts} is not one of the service. Something in between has responded, such as a proxy, or baseUrl leads elsewhere.`,
    });
    expect(running.proxy.seen()).toHaveLength(1);
  });

  it('stops a request when its signal is aborted', async () => {
    running.proxy.next({ kind: 'hang' });
    const reason = new Error('enough');
    const signal = abortedAfter(running.proxy.arrival(), reason);
    await expect(connect().listPets({}, { signal })).rejects.toBe(reason);
    expect(running.proxy.seen()).toHaveLength(1);
  });

  it('stops a wait when its signal is aborted', async () => {
    running.proxy.next({
      kind: 'answer',
      answer: error(429, 'rate_limit_exceeded', { 'Retry-After': '60' }),
    });
    const began = Date.now();
    const signal = abortedAfter(running.proxy.arrival().then(() => sleep(50)));
    await expect(connect().listPets({}, { signal })).rejects.toThrow('enough');
    expect(Date.now() - began).toBeLessThan(30_000);
  });

  it('sends nothing when its signal was aborted before', async () => {
    await expect(connect().listPets({}, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
    expect(running.proxy.seen()).toEqual([]);
  });
});

function abortedAfter(moment: Promise<void>, reason = new Error('enough')): AbortSignal {
  const controller = new AbortController();
  void moment.then(() => {
    controller.abort(reason);
  });
  return controller.signal;
}
