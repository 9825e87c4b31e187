import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { etagOf, isApiError, type Pet, PetStoreClient, PreconditionFailedError } from '../src/index.js';
import { AFTER_WORK, failureOf, proxiedStore } from './proxied-store.js';

const running = proxiedStore();
let client: PetStoreClient;

beforeAll(async () => {
  client = await running.connect(undefined, { warn: () => undefined });
});

const CATEGORY = 9_223_372_036_854_775_807n;
const create = (): Promise<Pet> => client.createPet({ name: 'Rex', categoryId: CATEGORY });
/** The state of an animal that the service has, and its tag. */
const read = (id: bigint): Promise<Pet> => client.updatePet(id, {});
const isGone = (id: bigint): Promise<boolean> =>
  read(id).then(
    () => false,
    (error: unknown) => isApiError(error, 'pet_not_found'),
  );
describe('changing animals', () => {
  it('changes what the patch has and leaves the rest', async () => {
    const rex = await create();
    expect(await client.updatePet(rex.id, { name: 'Rex II' })).toEqual({ ...rex, name: 'Rex II' });
    expect(await client.updatePet(Number(rex.id), { categoryId: 7, name: undefined })).toEqual({
      ...rex,
      name: 'Rex II',
      categoryId: 7n,
    });
    expect(await client.updatePet(rex.id, { categoryId: CATEGORY, status: 'sold' })).toMatchObject({
      categoryId: CATEGORY,
      status: 'sold',
    });
  });

  it('turns refusals into errors with their codes', async () => {
    const { id } = await client.createPet({ name: 'Sold', categoryId: 1, status: 'sold' });
    const refusals = {
      invalid_status_transition: () => client.updatePet(id, { status: 'pending' }),
      validation_failed: () => client.updatePet(id, { name: '' }),
      pet_not_found: () => client.updatePet(CATEGORY, { name: 'None' }),
      invalid_parameter: () => client.updatePet(id, { name: 'Rex' }, { ifMatch: 'without quotation marks' }),
    };
    for (const [code, refusal] of Object.entries(refusals)) {
      expect(await failureOf(refusal())).toMatchObject({ name: 'ApiError', code, operation: 'updatePet' });
    }
    await expect(client.updatePet(2 ** 53, {})).rejects.toThrow(RangeError);
    await expect(client.updatePet(1, { categoryId: 0.5 })).rejects.toThrow(RangeError);
  });

  it('lets one of two writes to the same state through, and gives the other one the current tag', async () => {
    const rex = await create();
    const ifMatch = etagOf(rex);
    const changed = await client.updatePet(rex.id, { name: 'First' }, { ifMatch });
    const failure = await failureOf(client.updatePet(rex.id, { name: 'Second' }, { ifMatch }));
    expect(failure).toBeInstanceOf(PreconditionFailedError);
    expect(failure).toMatchObject({
      name: 'PreconditionFailedError',
      code: 'precondition_failed',
      status: 412,
      etag: etagOf(changed),
      details: { isAfterUnknownOutcome: false },
    });
    const { etag = '' } = failure as PreconditionFailedError;
    const again = await client.updatePet(rex.id, { name: 'Second' }, { ifMatch: etag });
    expect(again.name).toBe('Second');
  });

  it('knows the tag of what it created, changed or fetched, and of nothing else', async () => {
    const rex = await create();
    // oxlint-disable-next-line typescript/no-deprecated -- the deprecated operation gives a tag, too
    const fetched = await client.getPet(rex.id);
    expect(new Set([rex, await read(rex.id), fetched].map(etagOf)).size).toBe(1);
    const [listed] = (await client.listPets({ limit: 1 })).pets;
    expect(() => etagOf(listed ?? rex)).toThrow(TypeError);
    expect(() => etagOf({ ...rex, name: 'A copy' })).toThrow(TypeError);
  });

  it.each([[undefined], [null], ['']])('sends no write whose guard is %j', async (ifMatch) => {
    const rex = await create();
    running.proxy.seen();
    const options = { ifMatch } as unknown as { ifMatch: string };
    await expect(client.updatePet(rex.id, { name: 'Unguarded' }, options)).rejects.toThrow(TypeError);
    await expect(client.deletePet(rex.id, options)).rejects.toThrow(TypeError);
    expect(running.proxy.seen()).toEqual([]);
  });

  it.each(AFTER_WORK)('repeats a change when %s after the work', async (_name, fault) => {
    const rex = await create();
    running.proxy.seen();
    running.proxy.next(fault);
    expect(await client.updatePet(rex.id, { name: 'Once' })).toEqual({ ...rex, name: 'Once' });
    expect(running.proxy.seen()).toHaveLength(2);
  });

  it.each(AFTER_WORK)('says that a guarded change may be its own when %s', async (_name, fault) => {
    const rex = await create();
    running.proxy.next(fault);
    const failure = await failureOf(client.updatePet(rex.id, { name: 'Mine' }, { ifMatch: etagOf(rex) }));
    const now = await read(rex.id);
    expect(now.name).toBe('Mine');
    expect(failure).toBeInstanceOf(PreconditionFailedError);
    expect(failure).toMatchObject({ etag: etagOf(now), details: { isAfterUnknownOutcome: true } });
  });
});

describe('removing animals', () => {
  beforeEach(() => {
    running.proxy.seen();
  });

  it('removes an animal once; then it is not found', async () => {
    const rex = await create();
    await client.deletePet(rex.id);
    expect(await isGone(rex.id)).toBe(true);
    const failure = await failureOf(client.deletePet(rex.id));
    expect(failure).toMatchObject({ code: 'pet_not_found', details: { isAfterUnknownOutcome: false } });
  });

  it('removes only the state that it was told to', async () => {
    const rex = await create();
    const changed = await client.updatePet(rex.id, { status: 'pending' });
    const failure = await failureOf(client.deletePet(rex.id, { ifMatch: etagOf(rex) }));
    expect(failure).toMatchObject({ name: 'PreconditionFailedError', etag: etagOf(changed) });
    expect(await isGone(rex.id)).toBe(false);
    await client.deletePet(rex.id, { ifMatch: etagOf(changed) });
    expect(await isGone(rex.id)).toBe(true);
  });

  it.each(AFTER_WORK)('succeeds when %s after the work', async (_name, fault) => {
    const rex = await create();
    running.proxy.seen();
    running.proxy.next(fault);
    await client.deletePet(rex.id, { ifMatch: etagOf(rex) });
    expect(running.proxy.seen()).toHaveLength(2);
    expect(await isGone(rex.id)).toBe(true);
  });

  it('does not take a 404 for its own after a 429, which is certain that nothing was done', async () => {
    const body = JSON.stringify({ code: 'rate_limit_exceeded', message: 'Made up.', status: 429 });
    running.proxy.next({ kind: 'answer', answer: { status: 429, headers: { 'Retry-After': '0' }, body } });
    expect(await failureOf(client.deletePet(CATEGORY))).toMatchObject({ code: 'pet_not_found' });
    expect(running.proxy.seen()).toHaveLength(2);
  });

  it.each([
    ['200 with a body', { status: 200, body: '{}' }],
    ['200 in HTML', { status: 200, body: '<h1>Portal</h1>' }],
  ])('does not believe a gateway that returns %s', async (_name, answer) => {
    const rex = await create();
    running.proxy.next({ kind: 'answer', answer });
    expect(await failureOf(client.deletePet(rex.id))).toMatchObject({ name: 'UnexpectedResponseError' });
    expect(await isGone(rex.id)).toBe(false);
  });
});

describe('a call that has a result', () => {
  it('does not take a 204 of a gateway for one', async () => {
    running.proxy.next({ kind: 'answer', answer: { status: 204 } });
    expect(await failureOf(client.listPets())).toMatchObject({
      name: 'UnexpectedResponseError',
      status: 204,
    });
  });
});

describe('the inventory', () => {
  it('counts the animals of each status, of one category or of all', async () => {
    const categoryId = 9_223_372_036_854_775_806n;
    expect(await client.inventory(categoryId)).toEqual({ available: 0n, pending: 0n, sold: 0n });
    const { position: before } = await client.listEvents({ after: 'latest' });
    for (const status of ['available', 'available', 'sold'] as const) {
      await client.createPet({ name: 'Counted', categoryId, status });
    }
    // The numbers are as old as the feed: three events later they are counted.
    let count = 0;
    for await (const { event } of client.events({ after: before }, { pollMs: 50 })) {
      if (event.data.pet?.categoryId === categoryId && ++count === 3) break;
    }
    expect(await client.inventory(categoryId)).toEqual({ available: 2n, pending: 0n, sold: 1n });
    expect((await client.inventory()).available).toBeGreaterThanOrEqual(2n);
    await expect(client.inventory(2 ** 53)).rejects.toThrow(RangeError);
  });
});
