import { beforeAll, describe, expect, it } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '@petstore/test-servers';
import {
  etagOf,
  isApiError,
  NoResponseError,
  type Pet,
  type PetStoreClient,
  PreconditionFailedError,
  UnexpectedResponseError,
} from '../src/index.js';
import { collect, failureOf, madeUp, ProxiedStore } from './proxied-store.js';

const running = new ProxiedStore();
const { connect } = running;
let client: PetStoreClient;
let animal = 0;

beforeAll(() => {
  client = connect();
});

const LARGEST = 9_223_372_036_854_775_807n;
const newPet = () => ({ name: `fault ${++animal}`, categoryId: 1n });
const create = (): Promise<Pet> => client.createPet(newPet());
const read = (id: bigint): Promise<Pet> => client.updatePet(id, {});
const countOf = async (name: string): Promise<number> =>
  (await collect(client.pets())).filter((pet) => pet.name === name).length;
const requests = (): number => running.proxy.seen().length;

const refused = (code: string, retryAfter: string): Fault => ({
  kind: 'answer',
  answer: madeUp(code === 'rate_limit_exceeded' ? 429 : 409, code, { 'Retry-After': retryAfter }),
});
const UNAVAILABLE = madeUp(503, 'service_unavailable');
/** Rounded down to a second, as asctime writes it: Sun Nov  6 08:49:37 1994. */
const inTwoSeconds = (): string => {
  const [day = '', date = '', month = '', year = '', time = ''] = new Date(Date.now() + 2_000)
    .toUTCString()
    .split(/,? /);
  return `${day} ${month} ${date.replace(/^0/, ' ')} ${time} ${year}`;
};
const BAD_GATEWAY = { status: 502, body: '<h1>Bad</h1>' };

type Answer = Extract<Fault, { readonly kind: 'answer' }>['answer'];

const HARM: [string, Fault][] = [
  ['the connection breaks before the request', { kind: 'cut' }],
  ['the connection breaks after the work', { kind: 'cut-after-work' }],
  ['the response breaks off', { kind: 'truncate' }],
  ['503 before the work', { kind: 'answer', answer: UNAVAILABLE }],
  ['503 after the work', { kind: 'answer-after-work', answer: UNAVAILABLE }],
  ['a gateway says 502 in HTML', { kind: 'answer-after-work', answer: BAD_GATEWAY }],
  ['the response does not come in time', { kind: 'hang' }],
];

describe('a client on an unreliable connection', () => {
  it.each(HARM)('creates exactly one animal and lists it when %s', async (_name, fault) => {
    // Nothing but what hangs needs a time limit, which a busy machine lets other requests meet, too.
    const harmed = connect(fault.kind === 'hang' ? { timeoutMs: 1_000 } : {});
    const pet = newPet();
    running.proxy.next(fault);
    const created = await harmed.createPet(pet);
    expect(created).toEqual({ ...pet, id: expect.anything(), status: 'available' });
    const keys = running.proxy.seen().map(({ headers }) => headers['idempotency-key']);
    if (fault.kind === 'hang') expect(keys.length).toBeGreaterThan(1);
    else expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    running.proxy.next(fault);
    expect((await harmed.listPets({ limit: 1 })).pets).toEqual([created]);
    expect(await countOf(pet.name)).toBe(1);
  });

  it.each(HARM)('does not repeat a creation without a key when %s', async (_name, fault) => {
    const harmed = connect(fault.kind === 'hang' ? { timeoutMs: 500 } : {});
    const keys: unknown[] = [];
    let calls = 0;
    // On a busy machine the time of a call may be up before its request is sent, which shows nothing.
    for (; keys.length === 0 && calls < 20; calls++) {
      running.proxy.next(fault);
      await expect(harmed.createPet(newPet(), { idempotencyKey: false })).rejects.toThrow();
      keys.push(...running.proxy.seen().map(({ headers }) => headers['idempotency-key']));
    }
    expect(new Set(keys)).toEqual(new Set([undefined]));
    expect(keys.length).toBeLessThanOrEqual(calls);
  });

  it.each<[string, () => Answer, boolean]>([
    ['429', () => madeUp(429, 'rate_limit_exceeded', { 'Retry-After': '1' }), false],
    ['429 without a body', () => ({ status: 429, headers: { 'Retry-After': ['soon', '1'] } }), false],
    ['503 in HTML', () => ({ ...BAD_GATEWAY, status: 503, headers: { 'Retry-After': '0, 1' } }), true],
    [
      '503 in another JSON',
      () => ({ status: 503, headers: { 'Retry-After': inTwoSeconds() }, body: '{"a":1}' }),
      true,
    ],
  ])('waits what a %s asks for before it comes back', async (_name, answer, isSafe) => {
    running.proxy.next({ kind: 'answer', answer: answer() });
    // After 429 nothing was done.
    await client.createPet(newPet(), isSafe ? {} : { idempotencyKey: false });
    const [first, second] = running.proxy.seen();
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(999);
  });

  it('tries again while the first request is still being worked on', async () => {
    const pet = newPet();
    running.proxy.next(refused('idempotency_in_progress', '0'));
    await client.createPet(pet);
    expect(requests()).toBe(2);
    expect(await countOf(pet.name)).toBe(1);
  });

  it('says no at once when a used-up day would have to be waited for', async () => {
    running.proxy.next(refused('rate_limit_exceeded', '3600'));
    await expect(client.listPets()).rejects.toMatchObject({
      name: 'ApiError',
      code: 'rate_limit_exceeded',
      status: 429,
      operation: 'listPets',
      details: { retryAfter: 3600, requestId: undefined, limits: undefined },
    });
    expect(requests()).toBe(1);
    expect(client.limits).toBeDefined();
  });

  it('gives up after its retries, with the last error', async () => {
    running.proxy.next(...Array.from({ length: 3 }, (): Fault => ({ kind: 'cut' })));
    const failure = await failureOf(connect({ maxRetries: 2 }).listPets());
    expect(failure).toBeInstanceOf(NoResponseError);
    expect(failure).toMatchObject({ reason: 'connection', operation: 'listPets' });
    expect(requests()).toBe(3);
  });

  it('tells a time-out from a broken connection', async () => {
    running.proxy.next({ kind: 'hang' });
    const attempt = connect({ maxRetries: 0 }).listPets({}, { timeoutMs: 500 });
    await expect(attempt).rejects.toMatchObject({ name: 'NoResponseError', reason: 'timeout' });
  });

  it.each([Infinity, 2 ** 32])(
    'has no end before its time, which no timer can have: %d',
    async (timeoutMs) => {
      expect(await client.listPets({}, { timeoutMs })).toBeDefined();
    },
  );
});

describe('a write that is carried out although its response is lost', () => {
  const LOST: [string, Fault][] = [
    ['the connection breaks', { kind: 'cut-after-work' }],
    ['a gateway returns 502', { kind: 'answer-after-work', answer: BAD_GATEWAY }],
  ];

  it.each(LOST)('is repeated and done once when %s', async (name, fault) => {
    const pet = await create();
    running.proxy.seen();
    const lost = <T>(write: Promise<T>): Promise<T> => {
      running.proxy.next(fault);
      return write;
    };
    expect(await lost(client.updatePet(pet.id, { name: 'Max' }))).toEqual({ ...pet, name: 'Max' });
    const category = await lost(client.categories.create({ name }));
    const renamed = await lost(client.categories.put(category.id, { name: `${name} again` }));
    expect(renamed.id).toBe(category.id);
    await lost(client.categories.delete(category.id, { ifMatch: etagOf(renamed) }));
    const order = await lost(client.orders.place({ petId: pet.id }));
    for (const action of ['approve', 'deliver', 'return'] as const)
      await lost(client.orders[action](order.id));
    const { id } = await client.webhooks.create({ url: 'https://lost.example/' });
    await lost(client.webhooks.update(id, { description: name }));
    const test = await lost(client.webhooks.test(id));
    // A test is not delivered again: repeated is the request for it.
    const redelivery = await failureOf(lost(client.webhooks.redeliver(id, test.id)));
    expect(redelivery).toMatchObject({ details: { isAfterUnknownOutcome: true } });
    await lost(client.webhooks.recover(id, (await client.listEvents({ after: 'latest' })).position));
    await lost(client.webhooks.delete(id));
    const now = await read(pet.id);
    await lost(client.deletePet(pet.id, { ifMatch: etagOf(now) }));
    expect(requests()).toBe(2 * 14 + 3);

    expect(now).toEqual({ ...pet, name: 'Max' });
    const categories = await collect(client.categories.all());
    expect(categories.filter((one) => one.name.startsWith(name))).toEqual([]);
    expect(await collect(client.orders.all({ petId: pet.id }))).toMatchObject([
      { id: order.id, status: 'returned' },
    ]);
    expect(await client.webhooks.list()).toEqual([]);
    expect(isApiError(await failureOf(read(pet.id)), 'pet_not_found')).toBe(true);
  });

  it.each(LOST)('says of a conditional change that it may be its own when %s', async (_name, fault) => {
    const rex = await create();
    running.proxy.next(fault);
    const failure = await failureOf(client.updatePet(rex.id, { name: 'Mine' }, { ifMatch: etagOf(rex) }));
    const now = await read(rex.id);
    expect(now.name).toBe('Mine');
    expect(failure).toBeInstanceOf(PreconditionFailedError);
    expect(failure).toMatchObject({ etag: etagOf(now), details: { isAfterUnknownOutcome: true } });
  });

  it('says so of a webhook, and repeats no rotation of its secret', async () => {
    const shop = { url: 'https://shop.example/petstore' };
    running.proxy.next({ kind: 'cut-after-work' });
    expect(await failureOf(client.webhooks.create(shop))).toMatchObject({
      code: 'webhook_url_taken',
      details: { isAfterUnknownOutcome: true },
    });
    expect(await failureOf(client.webhooks.create(shop))).toMatchObject({
      details: { isAfterUnknownOutcome: false },
    });
    const [webhook] = await client.webhooks.list();
    expect(webhook).toMatchObject(shop);
    running.proxy.reset();
    running.proxy.next({ kind: 'cut-after-work' });
    const rotation = client.webhooks.rotateSecret(webhook?.id ?? 0n);
    expect(await failureOf(rotation)).toMatchObject({ name: 'NoResponseError' });
    expect(requests()).toBe(1);
    await client.webhooks.delete(webhook?.id ?? 0n);
  });

  it('does not take a 404 for its own after a 429, which is certain that nothing was done', async () => {
    running.proxy.next(refused('rate_limit_exceeded', '0'));
    expect(await failureOf(client.deletePet(LARGEST))).toMatchObject({ code: 'pet_not_found' });
    expect(requests()).toBe(2);
  });
});

describe('a response of something in between', () => {
  const HTML = { 'Content-Type': 'text/html; charset=utf-8' };
  const SIGN_IN = '<html><head><title>Sign\n in</title></head><body>Portal</body></html>';

  it.each([
    ['200 in HTML', { status: 200, headers: HTML, body: SIGN_IN }, '(status 200, text/html, "Sign in")'],
    [
      'a page without a title',
      { status: 404, headers: HTML, body: `<h1>Not   here</h1>${'x'.repeat(999)}` },
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
    ['204 for a list', { status: 204 }, '(status 204)'],
  ])('such as %s is taken for what it is, without a retry', async (_name, answer, facts) => {
    running.proxy.next({ kind: 'answer', answer });
    const failure = await failureOf(client.listPets());
    expect(failure).toBeInstanceOf(UnexpectedResponseError);
    expect(failure).toMatchObject({
      status: answer.status,
      message: `The response of ${new URL(running.proxy.origin).host} ${facts} is not one of the service. Something in between has responded, such as a proxy, or baseUrl leads elsewhere.`,
    });
    expect(requests()).toBe(1);
  });

  it.each(['{}', '<h1>Portal</h1>'])('is no sign that an animal is removed: 200 with %s', async (body) => {
    const rex = await create();
    running.proxy.next({ kind: 'answer', answer: { status: 200, body } });
    expect(await failureOf(client.deletePet(rex.id))).toMatchObject({ name: 'UnexpectedResponseError' });
    expect(await read(rex.id)).toEqual(rex);
  });
});

describe('a signal', () => {
  const reason = new Error('enough');
  const abortedAfter = (moment: Promise<unknown>): AbortSignal => {
    const controller = new AbortController();
    void moment.then(() => {
      controller.abort(reason);
    });
    return controller.signal;
  };

  it.each([
    ['a request', { kind: 'hang' } as const],
    ['a wait', refused('rate_limit_exceeded', '60')],
  ])('stops %s when it is aborted', async (_what, fault) => {
    running.proxy.next(fault);
    const signal = abortedAfter(running.proxy.arrival().then(() => sleep(50)));
    await expect(client.listPets({}, { signal })).rejects.toBe(reason);
    expect(requests()).toBe(1);
  });

  it('that was aborted before lets nothing be sent', async () => {
    await expect(client.listPets({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(requests()).toBe(0);
  });

  it('has one listener, however many calls share it, and none after them', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const listeners = () => getEventListeners(signal, 'abort').length;
    const ended = Array.from({ length: 12 }, () => client.listPets({}, { signal }));
    expect(listeners()).toBe(1);
    await Promise.all(ended);
    expect(listeners()).toBe(0);
    const faults = [{ kind: 'hang' } as const, refused('rate_limit_exceeded', '60')];
    running.proxy.next(...Array.from({ length: 6 }, () => faults).flat());
    const aborted = Array.from({ length: 12 }, () => failureOf(client.listPets({}, { signal })));
    for (let seen = requests(); seen < 12; seen += requests()) await running.proxy.arrival();
    controller.abort(reason);
    expect(await Promise.all(aborted)).toEqual(Array(12).fill(reason));
    expect(listeners()).toBe(0);
  });

  it.each(['hang', 'none'] as const)('ends the feed, in a request and in a pause: %s', async (kind) => {
    running.proxy.next({ kind });
    const options = { pollMs: 600_000, signal: abortedAfter(running.proxy.arrival().then(() => sleep(200))) };
    await expect(collect(client.eventPages({ after: 'latest' }, options))).rejects.toBe(reason);
  });
});
