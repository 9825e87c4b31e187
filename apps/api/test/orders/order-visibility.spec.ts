import { describe, expect, it } from '@jest/globals';
import type { KeyId } from '@petstore/api-key';
import type { Client, Reply } from '../support/client.js';
import { expectError } from '../support/contract.js';
import { linkOf } from '../support/listed-pets.js';
import { serve } from '../support/running-service.js';
import { act, orderOf, ORDERS, place, type ToldOrder } from '../support/shop.js';
import { until } from '../support/until.js';

interface TypedEvent {
  readonly id: number;
  readonly type: string;
  readonly timestamp: string;
  readonly data: {
    readonly order?: ToldOrder;
    readonly pet?: { id: number; status: string };
    readonly previous?: object;
  };
}

const { running } = await serve();
const newShop = (): Promise<Client> =>
  running.client({ scopes: ['pets:read', 'pets:write', 'orders:read', 'orders:write'] });
/** Two shops: each sees its own orders. */
const [shop, other] = [await newShop(), await newShop()];
/** Of the shelter: all orders. */
const desk = await running.client({
  scopes: ['pets:read', 'orders:read', 'orders:write', 'orders:manage', 'categories:write'],
});
/** Manages orders, and may not read them. */
const stranger = await running.client({ scopes: ['pets:read', 'orders:manage'] });
const [mine, theirs] = [await place(shop), await place(other)];
await act(desk, mine.id, 'approve');
await act(desk, theirs.id, 'decline', 'no "garden"');
await act(desk, mine.id, 'deliver');
await act(desk, mine.id, 'return');
await desk.post('/v1/categories/7', { name: 'Dogs' }, { method: 'PUT' });
await until(async () => (await desk.get('/v1/events?resource=category')).text !== '[]');

// First of all: the tests below add events.
describe('the feed', () => {
  /** All that a reader sees, page by page. */
  async function read(client: Client, query = ''): Promise<TypedEvent[]> {
    const seen: TypedEvent[] = [];
    for (let next = `/v1/events?limit=2${query}`; ;) {
      const page = await client.get(next);
      expect(page.status).toBe(200);
      const events = JSON.parse(page.text) as TypedEvent[];
      seen.push(...events);
      if (events.length < 2) return seen;
      next = linkOf(page, 'next') ?? '';
    }
  }

  it('shows the desk everything, an order before its animal', async () => {
    const events = await read(desk);
    expect(events.map(({ type }) => type)).toEqual([
      ...['pet.created', 'order.placed', 'pet.updated'],
      ...['pet.created', 'order.placed', 'pet.updated'],
      ...['order.approved', 'order.declined', 'pet.updated'],
      ...['order.delivered', 'pet.updated', 'order.returned', 'pet.updated', 'category.created'],
    ]);
    expect(events.map(({ id }) => id)).toEqual(events.map((_, at) => at + 1));
    expect(events[1]?.data).toEqual({ order: mine });
    expect(events[7]?.data).toEqual({ order: orderOf(await other.get(`${ORDERS}/${theirs.id}`)) });
    expect(events[8]?.data).toMatchObject({
      pet: { id: theirs.petId, status: 'available' },
      previous: { status: 'pending' },
    });
    for (const { timestamp, data } of events) if (data.order) expect(timestamp).toBe(data.order.updatedAt);
  });

  it('shows a key its own orders only, none without orders:read, and all animals', async () => {
    const all = await read(desk);
    const isOrder = ({ data }: TypedEvent): boolean => data.order !== undefined;
    expect(await read(desk, '&resource=order')).toEqual(all.filter(isOrder));
    for (const [client, own] of [
      [shop, mine],
      [other, theirs],
    ] as const) {
      const visible = all.filter(({ data }) => data.order === undefined || data.order.id === own.id);
      expect(await read(client)).toEqual(visible);
      expect(await read(client, '&resource=order')).toEqual(visible.filter(isOrder));
    }
    expect(await read(stranger)).toEqual(all.filter((event) => !isOrder(event)));
    for (const query of ['resource=order', 'resource=order&after=latest'])
      expectError(await stranger.get(`/v1/events?${query}`), 'insufficient_scope');
  });

  it('lets a reader that may see little keep up all the same', async () => {
    const newest = (await read(desk)).length;
    for (const client of [shop, stranger]) {
      const page = await client.get('/v1/events?after=latest');
      expect(linkOf(page, 'next')).toBe(`/v1/events?after=${newest}`);
    }
  });

  it('never shares the page of two readers that ask at once', async () => {
    const readers = Array.from({ length: 20 }, () => [shop, other, stranger]).flat();
    const pages = await Promise.all(readers.map((client) => client.get('/v1/events?limit=100')));
    for (const [n, { text }] of pages.entries()) {
      const orders = (JSON.parse(text) as TypedEvent[]).flatMap(({ data }) => data.order?.id ?? []);
      expect(new Set(orders)).toEqual(new Set([[mine.id], [theirs.id], []][n % 3]));
    }
  });
});

describe('a key', () => {
  it('sees its own orders; those of others do not exist for it, but for the desk', async () => {
    const own = await newShop();
    const { id } = await place(own);
    expectError(await other.get(`${ORDERS}/${id}`), 'order_not_found');
    expectError(await act(other, id, 'cancel'), 'order_not_found');
    expectError(await act(own, id, 'approve'), 'insufficient_scope');
    for (const [client, isVisible] of [
      [own, true],
      [desk, true],
      [other, false],
    ] as const)
      expect((await client.get(ORDERS)).text.includes(`{"id":${id},`)).toBe(isVisible);
    expect((await desk.get(`${ORDERS}/${id}`)).text).toBe((await own.get(`${ORDERS}/${id}`)).text);
    expect((await act(own, id, 'cancel')).status).toBe(200);
    expect((await act(desk, (await place(own)).id, 'cancel')).status).toBe(200);
  });

  it.each(['orders:read', 'orders:write', 'orders:manage'] as const)(
    'may do what %s allows',
    async (scope) => {
      const client = await running.client({ scopes: [scope, 'pets:write'] });
      const { id } = await place(scope === 'orders:write' ? client : shop);
      const replies: [scope: string, reply: Reply][] = [
        ['orders:read', await client.get(ORDERS)],
        ['orders:read', await client.get(`${ORDERS}/${id}`)],
        ['orders:write', await client.post(ORDERS, { petId: 999_999_999 })],
        ['orders:write', await act(client, id, 'cancel')],
        ['orders:manage', await act(client, id, 'approve')],
        ['orders:manage', await act(client, id, 'decline')],
        ['categories:write', await client.post('/v1/categories', { name: 'Cats' })],
      ];
      for (const [needed, reply] of replies)
        if (needed === scope) expect(reply.status).not.toBe(403);
        else expectError(reply, 'insufficient_scope');
    },
  );

  it('keeps its orders when it is rotated', async () => {
    const order = await place(await newShop());
    const { secret } = await running.administration.rotate(order.placedBy as KeyId, 0, 'tests');
    const rotated = running.connect(secret);
    await until(async () => (await rotated.get(ORDERS)).status === 200);
    expect(orderOf(await rotated.get(`${ORDERS}/${order.id}`))).toEqual(order);
    const { placedBy } = order;
    expect(orderOf(await act(rotated, order.id, 'cancel'))).toMatchObject({ placedBy, status: 'cancelled' });
  });

  it('leaves its orders to the desk when it is revoked', async () => {
    const client = await newShop();
    const { id, placedBy } = await place(client);
    await running.administration.revoke(placedBy as KeyId, 'tests');
    await until(async () => (await client.get(ORDERS)).status === 401);
    expectError(await act(client, id, 'cancel'), 'invalid_api_key');
    expect((await act(desk, id, 'approve')).status).toBe(200);
    expect(orderOf(await act(desk, id, 'deliver'))).toMatchObject({ placedBy, status: 'delivered' });
  });
});
