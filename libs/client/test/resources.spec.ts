import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Fault } from '@petstore/test-servers';
import {
  etagOf,
  type FollowOptions,
  type ListEvents,
  type Pet,
  type PetStoreClient,
  PositionGoneError,
  type PositionedEvent,
} from '../src/index.js';
import { collect, failureOf, madeUp, ProxiedStore } from './proxied-store.js';

const running = new ProxiedStore();
let client: PetStoreClient;
/** Where the feed stood before the test. */
let start: bigint;

beforeAll(() => {
  client = running.connect();
});
beforeEach(async () => {
  start = await settledPosition();
});

const LARGEST = 9_223_372_036_854_775_807n;
const FAST: FollowOptions = { pollMs: 20 };

const newPet = (): Promise<Pet> => client.createPet({ name: 'Rex', categoryId: 7 });
const statusOf = async ({ id }: Pet): Promise<string | undefined> => (await client.petsById([id]))[0]?.status;

async function addPets(count: number): Promise<bigint[]> {
  const ids: bigint[] = [];
  for (let n = 0; n < count; n++) ids.push((await newPet()).id);
  return ids;
}

/** The next events, as many as are asked for. */
async function take(
  count: number,
  query: ListEvents = { after: start },
  options = FAST,
): Promise<PositionedEvent[]> {
  const taken: PositionedEvent[] = [];
  for await (const item of client.events(query, options)) if (taken.push(item) === count) break;
  return taken;
}
const petOf = ({ event }: PositionedEvent): bigint | undefined => event.data.pet?.id;

/** The position behind all that earlier tests did, whose events may be on their way: that of an animal added now. */
async function settledPosition(): Promise<bigint> {
  const { position } = await client.listEvents({ after: 'latest' });
  const { id } = await newPet();
  for await (const item of client.events({ after: position }, FAST))
    if (petOf(item) === id) return item.position;
  throw new Error('The feed has ended.');
}

describe('categories', () => {
  it('are added, named, renamed, fetched and removed, with exact ids', async () => {
    const added = await client.categories.create({ name: 'Added' });
    expect(added).toEqual({ id: expect.anything(), name: 'Added' });
    expect(typeof added.id).toBe('bigint');
    const named = await client.categories.put(LARGEST, { name: 'Named' }, { ifNoneMatch: '*' });
    expect(named).toEqual({ id: LARGEST, name: 'Named' });
    const guard = { ifMatch: etagOf(named) };
    const renamed = await client.categories.put(LARGEST, { name: 'Renamed' }, guard);
    const found = await client.categories.get(LARGEST);
    expect(found).toEqual(renamed);
    for (const late of [
      client.categories.put(LARGEST, { name: 'Lost' }, guard),
      client.categories.put(LARGEST, { name: 'Lost' }, { ifNoneMatch: '*' }),
      client.categories.delete(LARGEST, guard),
    ])
      expect(await failureOf(late)).toMatchObject({ status: 412, etag: etagOf(found) });
    await client.categories.delete(LARGEST, { ifMatch: etagOf(found) });
    await client.categories.delete(Number(added.id));
    expect(await failureOf(client.categories.put(LARGEST, { name: 'Absent' }, guard))).toMatchObject({
      name: 'PreconditionFailedError',
      etag: undefined,
    });
  });
});

describe('orders', () => {
  it('go from the application to the return of the animal', async () => {
    const pet = await newPet();
    const placed = await client.orders.place({ petId: Number(pet.id), reference: 'site-4711' });
    expect(placed).toMatchObject({ petId: pet.id, status: 'placed', reference: 'site-4711' });
    expect(typeof placed.id).toBe('bigint');
    expect(Date.parse(placed.expiresAt ?? '')).toBeGreaterThan(Date.parse(placed.placedAt));
    expect(await statusOf(pet)).toBe('pending');
    const approved = await client.orders.approve(placed.id);
    const delivered = await client.orders.deliver(placed.id);
    expect(delivered.expiresAt).toBeUndefined();
    expect(await statusOf(pet)).toBe('sold');
    const returned = await client.orders.return(placed.id, { reason: 'Allergy. 🐕' });
    expect(returned).toMatchObject({ status: 'returned', reason: 'Allergy. 🐕' });
    expect(await client.orders.get(placed.id)).toEqual(returned);
    expect(await statusOf(pet)).toBe('available');
    const events = await take(4, { after: start, resource: 'order' });
    expect(events.map(({ event }) => event.data.order)).toEqual([placed, approved, delivered, returned]);
  });

  it('are cancelled and declined, and listed in pages', async () => {
    const pet = await newPet();
    const first = await client.orders.place({ petId: pet.id });
    const cancelled = await client.orders.cancel(first.id);
    expect(cancelled).not.toHaveProperty('reason');
    // To repeat it changes nothing.
    expect(await client.orders.cancel(first.id, { reason: 'Late.' })).toEqual(cancelled);
    const second = await client.orders.place({ petId: pet.id });
    const declined = await client.orders.decline(second.id, { reason: 'Too far away.' });
    expect(declined).toMatchObject({ status: 'declined', reason: 'Too far away.' });
    const third = await client.orders.place({ petId: pet.id });
    const all = [third, declined, cancelled];
    expect(await collect(client.orders.all({ petId: pet.id, limit: 2 }))).toEqual(all);
    expect(await collect(client.orders.all({ petId: pet.id, status: 'approved' }))).toEqual([]);
  });
});

describe('webhooks', () => {
  const SHOP = { url: 'https://shop.example/petstore' };

  it('are added, changed, listed and removed', async () => {
    const { secret, ...webhook } = await client.webhooks.create({ ...SHOP, types: ['pet.*'] });
    expect(secret).toMatch(/^whsec_/);
    expect(typeof webhook.id).toBe('bigint');
    expect((await client.webhooks.rotateSecret(webhook.id, { overlapHours: 1 })).secret).not.toBe(secret);
    const found = await client.webhooks.get(webhook.id);
    expect(found).toEqual(webhook);
    const changed = await client.webhooks.update(webhook.id, { types: null }, { ifMatch: etagOf(found) });
    expect(changed).not.toHaveProperty('types');
    expect(await client.webhooks.list()).toEqual([changed]);
    const late = client.webhooks.delete(webhook.id, { ifMatch: etagOf(found) });
    expect(await failureOf(late)).toMatchObject({ code: 'precondition_failed', etag: etagOf(changed) });
    await client.webhooks.delete(webhook.id, { ifMatch: etagOf(changed) });
    expect(await client.webhooks.list()).toEqual([]);
  });

  it('show their deliveries, and deliver again', async () => {
    const { id } = await client.webhooks.create(SHOP);
    const test = await client.webhooks.test(id);
    expect(test).toMatchObject({ type: 'webhook.test', attempts: 0 });
    await client.createPet({ name: 'Rex', categoryId: 7 });
    let all = await collect(client.webhooks.deliveries(id, { limit: 1 }));
    while (all.length < 2) all = await collect(client.webhooks.deliveries(id, { limit: 1 }));
    const [delivery, oldest] = all;
    expect([delivery?.type, oldest?.id]).toEqual(['pet.created', test.id]);
    expect(typeof delivery?.eventId).toBe('bigint');
    const again = await client.webhooks.redeliver(id, delivery?.id ?? 0n);
    expect(again).toMatchObject({ id: delivery?.id, status: 'pending' });
    expect(await client.webhooks.recover(id, start)).toEqual({ requeued: 0 });
    await client.webhooks.delete(id);
  });
});

describe('the inventory', () => {
  it('counts the animals of each status, of one category or of all', async () => {
    const categoryId = LARGEST - 1n;
    for (const status of ['available', 'available', 'sold'] as const)
      await client.createPet({ name: 'Counted', categoryId, status });
    // The numbers are as old as the feed: three events later they are counted.
    await take(3);
    expect(await client.inventory(categoryId)).toEqual({ available: 2n, pending: 0n, sold: 1n });
    expect((await client.inventory()).available).toBeGreaterThanOrEqual(2n);
  });
});

describe('following the feed', () => {
  it('gives every change of an animal in its order, with exact ids', async () => {
    const pet = await client.createPet({ name: 'Rex', categoryId: LARGEST });
    const changed = await client.updatePet(pet.id, { status: 'pending' });
    await client.deletePet(pet.id);
    const events = (await take(3)).map(({ event }) => event);
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['pet.created', { pet }],
      ['pet.updated', { pet: changed, previous: { status: 'available' } }],
      ['pet.deleted', { pet: changed }],
    ]);
    expect(events.map(({ id }) => id)).toEqual([start + 1n, start + 2n, start + 3n]);
  });

  it('waits for what happens later', async () => {
    const coming = take(2);
    const ids = await addPets(2);
    expect((await coming).map(petOf)).toEqual(ids);
  });

  it('goes through many pages without a pause between full ones', async () => {
    const ids = await addPets(7);
    await take(7);
    running.proxy.seen();
    // A pause would last until the test fails.
    const events = await take(6, { after: start, limit: 2 }, { pollMs: 600_000 });
    expect(events.map(petOf)).toEqual(ids.slice(0, 6));
    expect(running.proxy.seen()).toHaveLength(3);
  });

  it('goes on exactly behind any position that was kept', async () => {
    await addPets(5);
    const all = await take(5);
    for (const [n, { position }] of all.slice(0, 4).entries())
      expect(await take(4 - n, { after: position })).toEqual(all.slice(n + 1));
  });
});

describe('following the feed on an unreliable connection', () => {
  const answer = (status: number, code: string): Fault => ({
    kind: 'answer',
    answer: madeUp(status, code, { 'Retry-After': '0' }),
  });

  it('misses and repeats nothing', async () => {
    const ids = await addPets(4);
    await take(4);
    const unavailable = answer(503, 'service_unavailable');
    running.proxy.next({ kind: 'cut' }, { kind: 'truncate' }, unavailable, { kind: 'cut-after-work' });
    expect((await take(4, { after: start, limit: 1 })).map(petOf)).toEqual(ids);
  });

  it('says when a position is not kept, at once or later', async () => {
    const failure = await failureOf(take(1, { after: LARGEST }));
    expect(failure).toBeInstanceOf(PositionGoneError);
    expect(failure).toMatchObject({ name: 'PositionGoneError', code: 'position_gone', status: 410 });
    await addPets(2);
    await take(2);
    const follow = async (): Promise<void> => {
      for await (const { events } of client.eventPages({ after: start, limit: 1 }, FAST)) {
        expect(events).toHaveLength(1);
        running.proxy.next(answer(410, 'position_gone'));
      }
    };
    await expect(follow()).rejects.toBeInstanceOf(PositionGoneError);
  });

  it('does not ask a cache without a pause that gives one full page for every position', async () => {
    const body = `[{"id":${start + 1n},"type":"pet.created","timestamp":"2026-11-21T19:12:07.123Z","data":{}}]`;
    const headers = { Link: `</v1/events?after=${start + 1n}>; rel="next"` };
    const cached: Fault = { kind: 'answer', answer: { status: 200, headers, body } };
    running.proxy.next(cached, cached);
    const controller = new AbortController();
    const options = { pollMs: 600_000, signal: controller.signal };
    let pages = 0;
    const follow = async (): Promise<void> => {
      for await (const page of client.eventPages({ after: start, limit: 1 }, options)) {
        expect(page.isCaughtUp).toBe(false);
        if (++pages < 2) continue;
        setTimeout(() => {
          controller.abort(new Error('enough'));
        }, 300);
      }
    };
    await expect(follow()).rejects.toThrow('enough');
    expect(pages).toBe(2);
  });
});
