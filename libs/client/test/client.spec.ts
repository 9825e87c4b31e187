/* oxlint-disable typescript/no-deprecated -- the deprecated operation is tested like the others */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PetStoreProcess, startPetStore } from '@petstore/test-servers';
import { ApiError, isApiError, type Pet, PetStoreClient, type ResponseInfo } from '../src/index.js';

let store: PetStoreProcess;
let key: string;
let client: PetStoreClient;
const warnings: string[] = [];

beforeAll(async () => {
  store = await startPetStore();
  key = await store.issueKey();
  client = connect(key);
}, 90_000);
afterAll(() => store.stop());

const connect = (apiKey: string): PetStoreClient =>
  new PetStoreClient({
    baseUrl: `${store.origin}/v1/`,
    apiKey,
    warn: (message) => warnings.push(message),
  });

async function collect(pets: AsyncIterable<Pet>): Promise<Pet[]> {
  const all: Pet[] = [];
  for await (const pet of pets) all.push(pet);
  return all;
}

describe('the client', () => {
  it('keeps int64 exact in both directions', async () => {
    const categoryId = 9_223_372_036_854_775_807n;
    const created = await client.createPet({ name: 'Ωmega "id":1 🐇', categoryId, status: 'sold' });
    expect(created).toEqual({ id: expect.anything(), name: 'Ωmega "id":1 🐇', categoryId, status: 'sold' });
    expect(typeof created.id).toBe('bigint');
    expect(await client.getPet(created.id)).toEqual(created);
    await expect(client.createPet({ name: 'Rex', categoryId: 2 ** 53 })).rejects.toThrow(RangeError);
    await expect(client.createPet({ name: 'Rex', categoryId: 1.5 })).rejects.toThrow(RangeError);
  });

  it('goes through all pages, whatever their size', async () => {
    for (let n = 0; n < 7; n++)
      await client.createPet({ name: `page ${n}`, categoryId: 5, status: 'pending' });
    const whole = await collect(client.pets());
    expect(whole.map(({ id }) => id)).toEqual(
      [...whole.map(({ id }) => id)].sort((a, b) => (a > b ? -1 : 1)),
    );
    for (const limit of [1, 3, whole.length, 100]) {
      expect(await collect(client.pets({ limit }))).toEqual(whole);
    }
    const pending = await collect(client.pets({ status: 'pending', limit: 2 }));
    expect(pending).toEqual(whole.filter(({ status }) => status === 'pending'));
    const sizes: number[] = [];
    for await (const { pets } of client.pages({ status: 'pending', limit: 5 })) sizes.push(pets.length);
    expect(sizes).toEqual([5, 3]);
  });

  it('goes on from a page that was kept', async () => {
    const first = await client.listPets({ limit: 2, status: 'pending' });
    const rest = await collect(client.pets({ status: 'pending', ...(first.next && { cursor: first.next }) }));
    expect([...first.pets, ...rest]).toEqual(await collect(client.pets({ status: 'pending' })));
  });

  it('lists the animals of a category, and animals by their ids', async () => {
    const categoryId = 9_223_372_036_854_775_806n;
    const ours = [];
    for (const name of ['first', 'second', 'third'])
      ours.unshift(await client.createPet({ name, categoryId }));
    expect(await collect(client.pets({ categoryId, limit: 2 }))).toEqual(ours);
    expect(await collect(client.pets({ categoryId, status: 'sold' }))).toEqual([]);
    const ids = [...ours.map(({ id }) => id), 9_223_372_036_854_775_807n];
    expect(await collect(client.pets({ ids }))).toEqual(ours);
    const many = Array.from({ length: 250 }, (_, n) => BigInt(n) + 1_000_000n);
    expect(await client.petsById([...many, ...ids, ...ids, ...many])).toEqual(ours);
    expect(await client.petsById([])).toEqual([]);
    expect(await client.listPets({ ids: [1], categoryId })).toEqual({ pets: [], next: undefined });
    await expect(client.listPets({ ids: [2 ** 53] })).rejects.toThrow(RangeError);
    await expect(client.listPets({ categoryId: 0.5 })).rejects.toThrow(RangeError);
  });

  it('turns every refusal into an error with its code', async () => {
    const reader = connect(await store.issueKey(['--plan', 'free', '--scopes', 'pets:read']));
    const refusals = {
      invalid_api_key: () => connect('pet_test_wrong').listPets(),
      insufficient_scope: () => reader.createPet({ name: 'Rex', categoryId: 1 }),
      invalid_parameter: () => client.listPets({ limit: 101 }),
      invalid_cursor: () => client.listPets({ cursor: 'x' }),
      validation_failed: () => client.createPet({ name: '', categoryId: 1 }),
      pet_not_found: () => client.getPet(9_223_372_036_854_775_807n),
    };
    for (const [code, refusal] of Object.entries(refusals)) {
      const error = await refusal().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ code, message: expect.stringMatching(/\.$/) });
      expect((error as ApiError).details.requestId).toMatch(/^[\w-]{8,64}$/);
    }
  });

  it('narrows an error by its codes', async () => {
    const error = await client.getPet(1n << 62n).catch((reason: unknown) => reason);
    expect(isApiError(error, 'pet_not_found')).toBe(true);
    expect(isApiError(error, 'validation_failed', 'pet_not_found')).toBe(true);
    expect(isApiError(error, 'validation_failed')).toBe(false);
    expect(isApiError(error)).toBe(true);
    expect(isApiError(new Error('pet_not_found'))).toBe(false);
  });

  it('tells of each response what to quote when asking the operators, of successes too', async () => {
    const ofClient: ResponseInfo[] = [];
    const ofCall: ResponseInfo[] = [];
    const observed = new PetStoreClient({
      baseUrl: `${store.origin}/v1`,
      apiKey: key,
      onResponse: (info) => ofClient.push(info),
      warn: () => undefined,
    });
    const rex = await observed.createPet({ name: 'Rex', categoryId: 7 });
    await observed.deletePet(rex.id, { onResponse: (info) => ofCall.push(info) });
    const failure = await observed.getPet(rex.id).catch((error: unknown) => error);
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
    const make = () => new PetStoreClient({ baseUrl, apiKey: key });
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
    expect(make).not.toThrow('secret');
    expect(make).toThrow(/http:/);
  });

  it('knows what is left of the limits after each response', async () => {
    const free = connect(await store.issueKey(['--plan', 'free']));
    expect(free.limits).toBeUndefined();
    await free.listPets();
    await free.listPets();
    expect(free.limits).toMatchObject({
      limit: 60,
      remaining: 58,
      windows: [
        { name: 'minute', quota: 60, seconds: 60, remaining: 58 },
        { name: 'day', quota: 1000, seconds: 86_400, remaining: 998 },
      ],
    });
    const wait = (free.limits?.resetAt.getTime() ?? 0) - Date.now();
    expect(wait).toBeGreaterThan(50_000);
    expect(wait).toBeLessThanOrEqual(61_000);
  });

  it('warns once of a deprecated operation, and of no other', async () => {
    warnings.length = 0;
    const fresh = connect(key);
    const [pet] = (await fresh.listPets({ limit: 1 })).pets;
    await fresh.getPet(pet?.id ?? 0n);
    await fresh.getPet(pet?.id ?? 0n);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^getPet is deprecated since .* removed on 2030-12-05\. Use \/v1\/pets instead\./,
      ),
    ]);
  });

  it('creates the same animal once under one idempotency key', async () => {
    const pet = { name: 'Once', categoryId: 1n };
    const first = await client.createPet(pet, { idempotencyKey: 'order-1' });
    expect(await connect(key).createPet(pet, { idempotencyKey: 'order-1' })).toEqual(first);
    const reused = connect(key).createPet({ ...pet, name: 'Twice' }, { idempotencyKey: 'order-1' });
    await expect(reused).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  });

  it('refuses what no header field can hold, without a request', async () => {
    await expect(
      client.createPet({ name: 'Rex', categoryId: 1 }, { idempotencyKey: 'a\nb' }),
    ).rejects.toThrow('invalid header value');
    expect(() => new PetStoreClient({ baseUrl: '/v1', apiKey: key })).toThrow('not an absolute URL');
  });

  it('shows the key of the client and its use, in numbers', async () => {
    const apiKey = await store.issueKey(['--plan', 'free', '--scopes', 'pets:read']);
    const reader = connect(apiKey);
    for (const end = Date.now() + 20_000; (await reader.usage()).days.length === 0;) {
      if (Date.now() > end) throw new Error('No use has been written down.');
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    const { keyId, plan, scopes, limits, days } = await reader.usage();
    expect(keyId).toMatch(/^key_/);
    expect({ plan, scopes, limits }).toEqual({
      plan: 'free',
      scopes: ['pets:read'],
      limits: { perMinute: 60, perDay: 1_000 },
    });
    expect(days[0]).toEqual({
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      requests: expect.any(Number),
      refused: 0,
    });
  });
});
