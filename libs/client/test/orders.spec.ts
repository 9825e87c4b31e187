import { beforeAll, describe, expect, it } from '@jest/globals';
import { isEvent, type Order, type Pet, PetStoreClient } from '../src/index.js';
import { AFTER_WORK, collect, failureOf, proxiedStore } from './proxied-store.js';

const running = proxiedStore({ MAX_OPEN_ORDERS_PER_KEY: '20' });
/** A website, which sees its own orders, and the shelter's desk. */
let site: PetStoreClient;
let desk: PetStoreClient;

const OF_SITE = 'pets:read,orders:read,orders:write';
const OF_DESK = `${OF_SITE},pets:write,orders:manage`;

beforeAll(async () => {
  [site, desk] = await Promise.all([running.connect(OF_SITE), running.connect(OF_DESK)]);
});

const newPet = (): Promise<Pet> => desk.createPet({ name: 'Rex', categoryId: 7 });
const statusOf = async ({ id }: Pet): Promise<string | undefined> => (await desk.petsById([id]))[0]?.status;
async function placed(): Promise<{ pet: Pet; order: Order }> {
  const pet = await newPet();
  return { pet, order: await site.orders.place({ petId: pet.id }) };
}

describe('orders', () => {
  it('go from the application to the return of the animal', async () => {
    const pet = await newPet();
    const order = await site.orders.place({ petId: Number(pet.id), reference: 'site-4711' });
    expect(order).toMatchObject({ petId: pet.id, status: 'placed', reference: 'site-4711' });
    expect(typeof order.id).toBe('bigint');
    expect(Date.parse(order.expiresAt ?? '')).toBeGreaterThan(Date.parse(order.placedAt));
    expect(await statusOf(pet)).toBe('pending');
    expect(await desk.orders.approve(order.id)).toMatchObject({ id: order.id, status: 'approved' });
    const delivered = await desk.orders.deliver(order.id);
    expect(delivered.expiresAt).toBeUndefined();
    expect(await statusOf(pet)).toBe('sold');
    const returned = await desk.orders.return(order.id, { reason: 'Allergy. 🐕' });
    expect(returned).toMatchObject({ status: 'returned', reason: 'Allergy. 🐕' });
    expect(await site.orders.get(order.id)).toEqual(returned);
    expect(await statusOf(pet)).toBe('available');
  });

  it('are cancelled by whoever placed them, and declined by the desk', async () => {
    const [first, second] = [await placed(), await placed()];
    const cancelled = await site.orders.cancel(first.order.id);
    expect(cancelled.status).toBe('cancelled');
    expect(cancelled).not.toHaveProperty('reason');
    const declined = await desk.orders.decline(second.order.id, { reason: 'Too far away.' });
    expect(declined).toMatchObject({ status: 'declined', reason: 'Too far away.' });
    expect([await statusOf(first.pet), await statusOf(second.pet)]).toEqual(['available', 'available']);
    // To repeat it changes nothing.
    expect(await site.orders.cancel(first.order.id, { reason: 'Late.' })).toEqual(cancelled);
  });

  it('are listed in pages, by state and by animal, as far as the key reaches', async () => {
    const other = await running.connect(OF_SITE);
    const mine: Order[] = [];
    for (let n = 0; n < 3; n++) mine.unshift(await other.orders.place({ petId: (await newPet()).id }));
    const [last] = mine;
    expect(await collect(other.orders.all())).toEqual(mine);
    expect(await collect(other.orders.all({ limit: 1 }))).toEqual(mine);
    const first = await other.orders.list({ limit: 2, status: 'placed' });
    expect(first.orders).toEqual(mine.slice(0, 2));
    const rest = other.orders.all({ status: 'placed', cursor: first.next });
    expect(await collect(rest)).toEqual(mine.slice(2));
    expect(await collect(other.orders.all({ petId: last?.petId }))).toEqual([last]);
    expect(await collect(other.orders.all({ status: 'approved' }))).toEqual([]);
    expect(await collect(site.orders.all({ petId: last?.petId }))).toEqual([]);
    expect(await collect(desk.orders.all({ petId: last?.petId }))).toEqual([last]);
  });

  it('turn refusals into errors with their codes', async () => {
    const { pet, order } = await placed();
    const stranger = await running.connect(OF_SITE);
    const refusals = {
      pet_not_available: () => desk.orders.place({ petId: pet.id }),
      invalid_order_transition: () => desk.orders.deliver(order.id),
      order_not_found: () => stranger.orders.get(order.id),
      insufficient_scope: () => site.orders.approve(order.id),
      validation_failed: () => site.orders.cancel(order.id, { reason: '' }),
      invalid_parameter: () => site.orders.list({ limit: 0 }),
      pet_held_by_order: () => desk.updatePet(pet.id, { status: 'available' }),
    };
    for (const [code, refusal] of Object.entries(refusals)) {
      expect(await failureOf(refusal())).toMatchObject({ name: 'ApiError', code });
    }
    for (const rounded of [
      site.orders.place({ petId: 2 ** 53 }),
      site.orders.get(2 ** 53),
      site.orders.cancel(0.5),
      site.orders.list({ petId: 2 ** 53 }),
    ]) {
      await expect(rounded).rejects.toThrow(RangeError);
    }
  });

  it('are not placed beyond what a key may have', async () => {
    const greedy = await running.connect(OF_SITE);
    for (let n = 0; n < 20; n++) await greedy.orders.place({ petId: (await newPet()).id });
    const failure = await failureOf(greedy.orders.place({ petId: (await newPet()).id }));
    expect(failure).toMatchObject({ code: 'order_limit_reached', status: 409 });
  });

  it.each(AFTER_WORK)('are placed once when %s after the work', async (_name, fault) => {
    const pet = await newPet();
    running.proxy.seen();
    running.proxy.next(fault);
    const order = await site.orders.place({ petId: pet.id });
    expect(running.proxy.seen()).toHaveLength(2);
    expect(await collect(desk.orders.all({ petId: pet.id }))).toEqual([order]);
    const { id: petId } = await newPet();
    running.proxy.seen();
    running.proxy.next(fault);
    expect(await failureOf(site.orders.place({ petId }, { idempotencyKey: false }))).toBeInstanceOf(Error);
    expect(running.proxy.seen()).toHaveLength(1);
  });

  it.each(AFTER_WORK)('are approved, delivered and taken back once when %s', async (_name, fault) => {
    const { pet, order } = await placed();
    running.proxy.seen();
    for (const action of ['approve', 'deliver', 'return'] as const) {
      running.proxy.next(fault);
      await desk.orders[action](order.id);
    }
    expect(running.proxy.seen()).toHaveLength(6);
    expect((await site.orders.get(order.id)).status).toBe('returned');
    expect(await statusOf(pet)).toBe('available');
  });

  it('keep their place under an idempotency key of the program', async () => {
    const { id: petId } = await newPet();
    const options = { idempotencyKey: `application-${petId}` };
    const first = await site.orders.place({ petId, reference: 'once' }, options);
    await desk.orders.approve(first.id);
    expect(await site.orders.place({ petId, reference: 'once' }, options)).toEqual(first);
    const other = await failureOf(site.orders.place({ petId, reference: 'twice' }, options));
    expect(other).toMatchObject({ code: 'idempotency_key_reused' });
  });

  it('have events, which a key gets as far as it reaches', async () => {
    const { position } = await desk.listEvents({ after: 'latest' });
    const stranger = await running.connect(OF_SITE);
    const { pet, order } = await placed();
    const approved = await desk.orders.approve(order.id);
    const cancelled = await site.orders.cancel(order.id);
    const told: [string, Order][] = [];
    for await (const { event } of site.events({ after: position, resource: 'order' }, { pollMs: 20 })) {
      if (!isEvent(event, 'order.*') || event.data.order.id !== order.id) continue;
      told.push([event.type, event.data.order]);
      if (isEvent(event, 'order.cancelled')) break;
    }
    expect(told).toEqual([
      ['order.placed', order],
      ['order.approved', approved],
      ['order.cancelled', cancelled],
    ]);
    // The animal's own events are behind those of the order.
    const changes: string[] = [];
    for await (const { event } of stranger.events({ after: position }, { pollMs: 20 })) {
      expect(isEvent(event, 'order.*')).toBe(false);
      if (!isEvent(event, 'pet.updated') || event.data.pet.id !== pet.id) continue;
      changes.push(event.data.pet.status ?? '');
      if (event.data.pet.status === 'available') break;
    }
    expect(changes).toEqual(['pending', 'available']);
    const forbidden = await failureOf((await running.connect('pets:read')).listEvents({ resource: 'order' }));
    expect(forbidden).toMatchObject({ code: 'insufficient_scope' });
  });
});
