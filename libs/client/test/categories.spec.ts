import { beforeAll, describe, expect, it } from '@jest/globals';
import { etagOf, isEvent, PetStoreClient, PreconditionFailedError, type PutOptions } from '../src/index.js';
import { AFTER_WORK, collect, failureOf, proxiedStore } from './proxied-store.js';

const running = proxiedStore();
let client: PetStoreClient;

beforeAll(async () => {
  client = await running.connect('pets:read,pets:write,categories:write');
});

const LARGEST = 9_223_372_036_854_775_807n;
describe('categories', () => {
  it('are added, named, renamed, fetched and removed, with exact ids', async () => {
    const added = await client.categories.create({ name: 'Added' });
    expect(added).toEqual({ id: expect.anything(), name: 'Added' });
    expect(typeof added.id).toBe('bigint');
    expect(await client.categories.put(LARGEST, { name: 'Largest' })).toEqual({
      id: LARGEST,
      name: 'Largest',
    });
    const renamed = await client.categories.put(LARGEST, { name: 'Renamed' });
    expect(await client.categories.get(LARGEST)).toEqual(renamed);
    await client.categories.delete(LARGEST);
    await client.categories.delete(Number(added.id));
    const gone = await failureOf(client.categories.get(added.id));
    expect(gone).toMatchObject({ name: 'ApiError', code: 'category_not_found', operation: 'getCategory' });
  });

  it('are listed in pages, the greatest id first', async () => {
    for (let n = 1; n <= 5; n++) await client.categories.put(BigInt(n) + 2n ** 60n, { name: `listed ${n}` });
    const whole = await collect(client.categories.all());
    expect(whole.map(({ name }) => name).slice(0, 5)).toEqual([5, 4, 3, 2, 1].map((n) => `listed ${n}`));
    expect(await collect(client.categories.all({ limit: 2 }))).toEqual(whole);
    const first = await client.categories.list({ limit: 2 });
    expect(first.categories).toEqual(whole.slice(0, 2));
    expect(await collect(client.categories.all({ cursor: first.next }))).toEqual(whole.slice(2));
  });

  it('turn refusals into errors with their codes', async () => {
    const { id } = await client.categories.create({ name: 'Taken' });
    const { id: used } = await client.categories.create({ name: 'Used' });
    await client.createPet({ name: 'Rex', categoryId: used });
    const reader = await running.connect('pets:read,pets:write');
    const refusals = {
      category_name_taken: () => client.categories.create({ name: '  TAKEN ' }),
      validation_failed: () => client.categories.put(id, { name: '' }),
      category_in_use: () => client.categories.delete(used),
      category_not_found: () => client.categories.delete(LARGEST),
      invalid_parameter: () => client.categories.list({ limit: 101 }),
      insufficient_scope: () => reader.categories.put(id, { name: 'Mine' }),
    };
    for (const [code, refusal] of Object.entries(refusals)) {
      expect(await failureOf(refusal())).toMatchObject({ name: 'ApiError', code });
    }
    await expect(client.categories.put(2 ** 53, { name: 'Rounded' })).rejects.toThrow(RangeError);
  });

  it('are written in the state that was seen, and in no other', async () => {
    const seen = await client.categories.create({ name: 'Seen' });
    const ifMatch = etagOf(seen);
    expect(etagOf(await client.categories.get(seen.id))).toBe(ifMatch);
    const changed = await client.categories.put(seen.id, { name: 'Changed' }, { ifMatch });
    for (const call of [
      client.categories.put(seen.id, { name: 'Lost' }, { ifMatch }),
      client.categories.put(seen.id, { name: 'Lost' }, { ifNoneMatch: '*' }),
      client.categories.delete(seen.id, { ifMatch }),
    ]) {
      const failure = await failureOf(call);
      expect(failure).toBeInstanceOf(PreconditionFailedError);
      expect(failure).toMatchObject({ status: 412, etag: etagOf(changed) });
    }
    const absent = await failureOf(client.categories.put(LARGEST, { name: 'Absent' }, { ifMatch }));
    expect(absent).toMatchObject({ name: 'PreconditionFailedError', etag: undefined });
    await client.categories.delete(seen.id, { ifMatch: etagOf(changed) });
    const again = await client.categories.put(seen.id, { name: 'Again' }, { ifNoneMatch: '*' });
    expect(again.name).toBe('Again');
  });

  it.each([
    [{ ifMatch: undefined }],
    [{ ifMatch: '' }],
    [{ ifNoneMatch: undefined }],
    [{ ifNoneMatch: '"a"' }],
  ])('are not written under a condition that is none: %j', async (options) => {
    running.proxy.seen();
    const put = client.categories.put(1, { name: 'Unguarded' }, options as unknown as PutOptions);
    await expect(put).rejects.toThrow(TypeError);
    expect(running.proxy.seen()).toEqual([]);
  });

  it.each(AFTER_WORK)('are added, renamed and removed once when %s after the work', async (name, fault) => {
    running.proxy.seen();
    running.proxy.next(fault);
    const added = await client.categories.create({ name: `once, ${name}` });
    running.proxy.next(fault);
    const renamed = await client.categories.put(added.id, { name: `renamed, ${name}` });
    expect(renamed.id).toBe(added.id);
    running.proxy.next(fault);
    await client.categories.delete(added.id, { ifMatch: etagOf(renamed) });
    expect(running.proxy.seen()).toHaveLength(6);
    expect((await collect(client.categories.all())).filter((each) => each.name.endsWith(name))).toEqual([]);
  });

  it('have events that tell what they were', async () => {
    const { position } = await client.listEvents({ after: 'latest' });
    const { id } = await client.categories.create({ name: 'Told' });
    await client.categories.put(id, { name: 'Told again' });
    await client.categories.delete(id);
    const told: unknown[] = [];
    const events = client.events({ after: position, resource: 'category' }, { pollMs: 20 });
    for await (const { event } of events) {
      if (!isEvent(event, 'category.*') || event.data.category.id !== id) continue;
      told.push([event.type, event.data.category.name, event.data.previous]);
      if (isEvent(event, 'category.deleted')) break;
    }
    expect(told).toEqual([
      ['category.created', 'Told', undefined],
      ['category.updated', 'Told again', { name: 'Told' }],
      ['category.deleted', 'Told again', undefined],
    ]);
  });
});
