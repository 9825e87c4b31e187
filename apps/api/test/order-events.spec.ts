import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Scope } from '@petstore/api-key';
import type { Client } from './client.js';
import { expectError } from './contract.js';
import { linkOf } from './listed-pets.js';
import { runService, type RunningService } from './running-service.js';
import { act, orderOf, ORDERS, place, type ToldOrder } from './shop.js';
import { until } from './until.js';

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

let running: RunningService;
let shop: Client;
let other: Client;
let desk: Client;
let stranger: Client;
let mine: ToldOrder;
let theirs: ToldOrder;

const withScopes = (...texts: string[]): Promise<Client> =>
  running.client({ scopes: texts.flatMap((text) => Scope.parse(text) ?? []) });

beforeAll(async () => {
  running = await runService();
  const ofShop = ['pets:read', 'pets:write', 'orders:read', 'orders:write'];
  shop = await withScopes(...ofShop);
  other = await withScopes(...ofShop);
  desk = await withScopes('pets:read', 'orders:read', 'orders:write', 'orders:manage', 'categories:write');
  stranger = await withScopes('pets:read', 'orders:manage');
  mine = await place(shop);
  theirs = await place(other);
  await act(desk, mine.id, 'approve');
  await act(desk, theirs.id, 'decline', 'no "garden"');
  await act(desk, mine.id, 'deliver');
  await act(desk, mine.id, 'return');
  await desk.post('/v1/categories/7', { name: 'Dogs' }, { method: 'PUT' });
  await until(async () => (await desk.get('/v1/events?resource=category')).text !== '[]');
});
afterAll(() => running.close());

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
const types = (events: readonly TypedEvent[]): string[] => events.map(({ type }) => type);

describe('the feed', () => {
  it('tells the desk everything, an order before its animal', async () => {
    const events = await read(desk);
    expect(types(events)).toEqual([
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

  it('tells a key of its own orders only, and of all animals', async () => {
    const all = await read(desk);
    for (const [client, own] of [
      [shop, mine],
      [other, theirs],
    ] as const) {
      const wanted = all.filter(({ data }) => data.order === undefined || data.order.id === own.id);
      expect(await read(client)).toEqual(wanted);
      expect(await read(client, '&resource=order')).toEqual(
        wanted.filter(({ data }) => data.order !== undefined),
      );
    }
    expect(await read(desk, '&resource=order')).toEqual(all.filter(({ data }) => data.order !== undefined));
  });

  it('tells nothing of orders without orders:read, whatever else a key may do', async () => {
    const all = await read(desk);
    expect(await read(stranger)).toEqual(all.filter(({ data }) => data.order === undefined));
    expectError(await stranger.get('/v1/events?resource=order'), 'insufficient_scope');
    expectError(await stranger.get('/v1/events?resource=order&after=latest'), 'insufficient_scope');
    expectError(await stranger.get('/v1/events?resource=orders'), 'invalid_parameter');
  });

  it('lets a reader who may see little keep up all the same', async () => {
    const newest = (await read(desk)).length;
    for (const client of [shop, stranger]) {
      const page = await client.get('/v1/events?after=latest');
      expect(linkOf(page, 'next')).toBe(`/v1/events?after=${newest}`);
    }
  });

  it('never shares what two readers ask for at once', async () => {
    const pages = await Promise.all(
      Array.from({ length: 20 }, () => [shop, other, stranger])
        .flat()
        .map((client) => client.get('/v1/events?limit=100')),
    );
    for (const [n, { text }] of pages.entries()) {
      const orders = (JSON.parse(text) as TypedEvent[]).flatMap(({ data }) => data.order?.id ?? []);
      expect(new Set(orders)).toEqual(new Set([[mine.id], [theirs.id], []][n % 3]));
    }
  });
});

describe('the inventory', () => {
  it('is what the animals are', async () => {
    expect((await shop.get('/v1/store/inventory')).text).toBe('{"available":2,"pending":0,"sold":0}');
  });
});
