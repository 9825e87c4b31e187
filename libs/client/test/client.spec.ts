/* oxlint-disable typescript/no-deprecated -- the deprecated operation is tested like the others */
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  ApiError,
  etagOf,
  isApiError,
  type Pet,
  PetStoreClient,
  PreconditionFailedError,
  type PutOptions,
  type ResponseInfo,
} from '../src/index.js';
import { collect, failureOf, ProxiedStore } from './proxied-store.js';

const running = new ProxiedStore();
const { connect } = running;
/** May do everything. */
let client: PetStoreClient;
/** A key on the Free plan that may read. */
let readerKey: string;

beforeAll(async () => {
  client = connect();
  readerKey = await running.store.issueKey(['--plan', 'free', '--scopes', 'pets:read']);
});

const LARGEST = 9_223_372_036_854_775_807n;
const ROUNDED = 2 ** 53;
const newPet = (): Promise<Pet> => client.createPet({ name: 'Rex', categoryId: 7 });

describe('the client', () => {
  it('keeps int64 exact in both directions', async () => {
    const pet = { name: 'Ωmega "id":1 🐇', categoryId: LARGEST, status: 'sold' } as const;
    const created = await client.createPet(pet);
    expect(created).toEqual({ id: expect.anything(), ...pet });
    expect(typeof created.id).toBe('bigint');
    expect(await client.getPet(created.id)).toEqual(created);
  });

  it('takes no number that is rounded or broken for an id', async () => {
    for (const call of [
      client.createPet({ name: 'Rex', categoryId: ROUNDED }),
      client.listPets({ ids: [ROUNDED] }),
      client.listPets({ categoryId: 0.5 }),
      client.updatePet(ROUNDED, {}),
      client.updatePet(1, { categoryId: 0.5 }),
      client.inventory(ROUNDED),
      client.categories.put(ROUNDED, { name: 'Rounded' }),
      client.orders.place({ petId: ROUNDED }),
      client.orders.cancel(0.5),
      client.orders.list({ petId: ROUNDED }),
      client.webhooks.get(ROUNDED),
      client.webhooks.redeliver(1, 0.5),
      client.webhooks.recover(1, ROUNDED),
      client.listEvents({ after: ROUNDED }),
    ])
      await expect(call).rejects.toThrow(RangeError);
    expect(running.proxy.seen()).toEqual([]);
  });

  it('turns every refusal into an error with its code', async () => {
    const pet = await newPet();
    const reader = connect({ apiKey: readerKey });
    const refusals = {
      invalid_api_key: connect({ apiKey: 'pet_test_wrong' }).listPets(),
      insufficient_scope: reader.categories.put(7, { name: 'Mine' }),
      invalid_parameter: client.listPets({ limit: 101 }),
      validation_failed: client.createPet({ name: '', categoryId: 1 }),
      pet_not_found: client.getPet(LARGEST),
      webhook_not_found: client.webhooks.test(LARGEST),
    };
    for (const [code, refusal] of Object.entries(refusals)) {
      const error = await failureOf(refusal);
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ code, message: expect.stringMatching(/\.$/) });
      const { requestId, help } = (error as ApiError).details;
      expect(requestId).toMatch(/^[\w-]{8,64}$/);
      expect(help).toContain(`${running.proxy.origin}/docs/`);
    }
    const guard = { ifMatch: 'without quotation marks' };
    const failure = await failureOf(client.updatePet(pet.id, { name: 'Max' }, guard));
    expect(failure).toMatchObject({ code: 'invalid_parameter', operation: 'updatePet' });
    expect(isApiError(failure)).toBe(true);
    expect(isApiError(failure, 'validation_failed', 'invalid_parameter')).toBe(true);
    expect(isApiError(failure, 'validation_failed')).toBe(false);
    expect(isApiError(new Error('invalid_parameter'))).toBe(false);
  });

  it('tells of each response what to quote when asking the operators, of successes too', async () => {
    const ofClient: ResponseInfo[] = [];
    const ofCall: ResponseInfo[] = [];
    const observed = connect({ onResponse: (info) => ofClient.push(info) });
    const rex = await observed.createPet({ name: 'Rex', categoryId: 7 });
    await observed.deletePet(rex.id, { onResponse: (info) => ofCall.push(info) });
    const failure = await failureOf(observed.getPet(rex.id));
    expect(ofClient.map(({ operation, status }) => [operation, status])).toEqual([
      ['createPet', 201],
      ['deletePet', 204],
      ['getPet', 404],
    ]);
    expect(ofCall).toEqual([ofClient[1]]);
    const ids = ofClient.map(({ requestId }) => requestId);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[\w-]{8,64}$/);
    expect(failure).toMatchObject({ details: { requestId: ids[2] } });
    expect(ofClient[0]?.limits).toMatchObject({ windows: [{ name: 'minute' }, { name: 'day' }] });
  });

  it.each([
    ['', 'baseUrl is not an absolute URL'],
    ['127.0.0.1/v1', 'baseUrl is not an absolute URL'],
    ['file:///v1', 'baseUrl has the protocol file:'],
    ['http://127.0.0.1:3000', 'baseUrl is http://127.0.0.1:3000/: /v1 is missing at its end'],
    ['http://127.0.0.1:3000/docs/', 'baseUrl is http://127.0.0.1:3000/docs/: /v1 is missing at its end'],
    ['http://127.0.0.1:3000/v1?key=1', 'baseUrl has a user, a query or a fragment'],
    ['http://user:secret@127.0.0.1:3000/v1', 'baseUrl has a user, a query or a fragment'],
  ])('says what is wrong with the address %j', (baseUrl, message) => {
    const make = () => connect({ baseUrl });
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
    expect(make).not.toThrow('secret');
    expect(make).toThrow(/http:/);
  });

  it('knows what is left of the limits, and how the key was used', async () => {
    const free = connect({ apiKey: readerKey });
    expect(free.limits).toBeUndefined();
    await free.listPets();
    const before = free.limits?.remaining ?? 0;
    await free.listPets();
    expect(free.limits).toMatchObject({
      limit: 60,
      remaining: before - 1,
      windows: [
        { name: 'minute', quota: 60, seconds: 60, remaining: before - 1 },
        { name: 'day', quota: 1000, seconds: 86_400 },
      ],
    });
    const waitMs = (free.limits?.resetAt.getTime() ?? 0) - Date.now();
    expect(waitMs).toBeLessThanOrEqual(61_000);
    expect(waitMs).toBeGreaterThan(0);
    const { keyId, plan, scopes, limits, days } = await free.usage();
    expect({ keyId, plan, scopes, limits }).toEqual({
      keyId: expect.stringMatching(/^key_/),
      plan: 'free',
      scopes: ['pets:read'],
      limits: { perMinute: 60, perDay: 1_000 },
    });
    expect(Array.isArray(days)).toBe(true);
  });

  it('warns once of a deprecated operation, and of no other', async () => {
    const warnings: string[] = [];
    const warned = connect({ warn: (message) => warnings.push(message) });
    const { id } = await warned.createPet({ name: 'Rex', categoryId: 7 });
    await warned.getPet(id);
    await warned.getPet(id);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^getPet is deprecated since \d{4}-\d\d-\d\d and will be removed on 2030-12-05\. Use \/v1\/pets instead\. See \/docs/,
      ),
    ]);
  });

  it('creates the same once under one idempotency key of the program', async () => {
    const pet = { name: 'Once', categoryId: 1n };
    const options = { idempotencyKey: 'program-1' };
    const first = await client.createPet(pet, options);
    expect(await connect().createPet(pet, options)).toEqual(first);
    const reused = { code: 'idempotency_key_reused' };
    expect(await failureOf(client.createPet({ ...pet, name: 'Twice' }, options))).toMatchObject(reused);
    const order = { petId: first.id };
    const placed = await client.orders.place(order, { idempotencyKey: 'program-2' });
    expect(await client.orders.place(order, { idempotencyKey: 'program-2' })).toEqual(placed);
    const broken = client.createPet(pet, { idempotencyKey: 'a\nb' });
    await expect(broken).rejects.toThrow('invalid header value');
  });
});

describe('lists', () => {
  it('go through all pages, whatever their size, and on from a page that was kept', async () => {
    const categoryId = LARGEST - 1n;
    const ours: Pet[] = [];
    for (let n = 0; n < 7; n++) ours.unshift(await client.createPet({ name: `page ${n}`, categoryId }));
    for (const limit of [1, 3, 7, 100, undefined])
      expect(await collect(client.pets({ categoryId, limit }))).toEqual(ours);
    const pages = await collect(client.pages({ categoryId, limit: 5 }));
    expect(pages.map(({ pets }) => pets.length)).toEqual([5, 2]);
    expect(await collect(client.pets({ categoryId, cursor: pages[0]?.next }))).toEqual(ours.slice(5));
    expect(await collect(client.pets({ categoryId, status: 'sold' }))).toEqual([]);
    expect((await client.pets().next()).value).toEqual(ours[0]);
  });

  it('have animals by their ids, a request for each hundred', async () => {
    const ours = [await newPet(), await newPet(), await newPet()].reverse();
    const ids = [...ours.map(({ id }) => id), LARGEST];
    expect(await collect(client.pets({ ids }))).toEqual(ours);
    const others = Array.from({ length: 250 }, (_, n) => BigInt(n) + 1_000_000n);
    running.proxy.seen();
    expect(await client.petsById([...others, ...ids, Number(ids[0]), ...ids, ...others])).toEqual(ours);
    expect(running.proxy.seen()).toHaveLength(3);
    expect(await client.petsById([])).toEqual([]);
    expect(await client.listPets({ ids: [1], categoryId: LARGEST })).toEqual({ pets: [], next: undefined });
  });
});

describe('changes', () => {
  it('have what the patch has and leave the rest', async () => {
    const rex = await newPet();
    const patch = { categoryId: 8, name: undefined };
    expect(await client.updatePet(Number(rex.id), patch)).toEqual({ ...rex, categoryId: 8n });
  });

  it('of a profile may leave it without a member', async () => {
    const { id } = await newPet();
    for (const profile of [{ species: 'dog' }, {}]) {
      expect(await client.replacePetProfile(id, profile)).toEqual(profile);
      expect(await client.getPetProfile(id)).toEqual(profile);
    }
  });

  it('go through for one of two writes to the same state; the other one gets the current tag', async () => {
    const rex = await newPet();
    const ifMatch = etagOf(rex);
    const changed = await client.updatePet(rex.id, { name: 'First' }, { ifMatch });
    for (const late of [
      client.updatePet(rex.id, { name: 'Second' }, { ifMatch }),
      client.deletePet(rex.id, { ifMatch }),
    ]) {
      const failure = await failureOf(late);
      expect(failure).toBeInstanceOf(PreconditionFailedError);
      expect(failure).toMatchObject({
        name: 'PreconditionFailedError',
        code: 'precondition_failed',
        status: 412,
        etag: etagOf(changed),
        details: { isAfterUnknownOutcome: false },
      });
    }
    await client.deletePet(rex.id, { ifMatch: etagOf(changed) });
    expect(await failureOf(client.deletePet(rex.id))).toMatchObject({
      code: 'pet_not_found',
      details: { isAfterUnknownOutcome: false },
    });
  });

  it('know the tag of what was created, changed or fetched, and of nothing else', async () => {
    const rex = await newPet();
    const same = [rex, await client.updatePet(rex.id, {}), await client.getPet(rex.id)];
    expect(new Set(same.map(etagOf)).size).toBe(1);
    const [listed] = await client.petsById([rex.id]);
    expect(() => etagOf(listed ?? rex)).toThrow(TypeError);
    expect(() => etagOf({ ...rex, name: 'A copy' })).toThrow(TypeError);
  });

  it.each<object>([
    { ifMatch: undefined },
    { ifMatch: null },
    { ifMatch: '' },
    { ifNoneMatch: undefined },
    { ifNoneMatch: '"a"' },
  ])('are not sent under a condition that is none: %p', async (options) => {
    const conditions = options as PutOptions;
    await expect(client.categories.put(7, { name: 'Unconditional' }, conditions)).rejects.toThrow(TypeError);
    if ('ifMatch' in options) {
      await expect(client.updatePet(1, { name: 'Unconditional' }, conditions)).rejects.toThrow(TypeError);
      await expect(client.deletePet(1, conditions)).rejects.toThrow(TypeError);
    }
    expect(running.proxy.seen()).toEqual([]);
  });
});
