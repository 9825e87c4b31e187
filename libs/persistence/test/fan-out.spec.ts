import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EVENT_TYPES, WebhookTypes } from '@petstore/webhook';
import { OrderStatus } from '@petstore/order-domain';
import { type EventResource, visibleEvents } from '@petstore/event-feed';
import fc from 'fast-check';
import { Client } from 'pg';
import { Subscriptions } from './subscriptions.js';

let shop: Subscriptions;
beforeAll(async () => {
  shop = await Subscriptions.open();
});
afterAll(() => shop.close());
beforeEach(() => shop.reset());

const MANAGE = 'webhooks:manage';
/** Which endpoint is told of which position, in the order in which it is. */
const told = async (): Promise<string[]> =>
  (await shop.deliveries()).map(({ webhook, position, type }) => `${webhook} ${position ?? ''} ${type}`);

describe('an event that gets its position', () => {
  it('is queued for every endpoint that asks for it, due at once, in the order of events', async () => {
    await shop.key('key_1');
    await shop.key('key_2');
    await shop.endpoint('key_1');
    await shop.endpoint('key_2', { types: ['pet.updated'] });
    await shop.endpoint('key_2', { types: ['pet.*', 'category.created'] });
    await shop.endpoint('key_1', { types: ['category.*'] });
    await shop.happen(['pet.created'], ['pet.updated'], ['category.deleted']);
    expect(await told()).toEqual([
      ...['1 1 pet.created', '3 1 pet.created'],
      ...['1 2 pet.updated', '2 2 pet.updated', '3 2 pet.updated'],
      ...['1 3 category.deleted', '4 3 category.deleted'],
    ]);
    for (const delivery of await shop.deliveries())
      expect(delivery).toMatchObject({ status: 'pending', attempts: 0, error: null, response: null });
  });

  it('is queued for no endpoint that is disabled, nor of a key that is revoked, expired or narrowed', async () => {
    await shop.key('key_1');
    await shop.key('key_2', { revokedAt: 'now()' });
    await shop.key('key_3', { expiresAt: `now() - interval '1 second'` });
    await shop.key('key_4', { scopes: [MANAGE, 'orders:read'] });
    await shop.key('key_5', { scopes: ['pets:read'] });
    await shop.key('key_6', { expiresAt: `now() + interval '1 hour'` });
    await shop.endpoint('key_1', { status: 'disabled' });
    for (let n = 2; n <= 6; n++) await shop.endpoint(`key_${n}`);
    await shop.happen(['pet.updated']);
    expect(await told()).toEqual(['6 1 pet.updated']);
  });

  it('about an order is queued for those who may read that order', async () => {
    await shop.key('own', { scopes: [MANAGE, 'orders:read'] });
    await shop.key('other', { scopes: [MANAGE, 'orders:read', 'pets:read'] });
    await shop.key('desk', { scopes: [MANAGE, 'orders:read', 'orders:manage'] });
    await shop.key('blind', { scopes: [MANAGE, 'pets:read', 'orders:manage'] });
    for (const key of ['own', 'other', 'desk', 'blind']) await shop.endpoint(key);
    await shop.endpoint('desk', { types: ['order.placed'] });
    await shop.happen(['order.placed', 'own'], ['order.expired', 'own'], ['order.placed', 'nobody']);
    expect(await told()).toEqual([
      ...['1 1 order.placed', '3 1 order.placed', '5 1 order.placed'],
      ...['1 2 order.expired', '3 2 order.expired'],
      ...['3 3 order.placed', '5 3 order.placed'],
    ]);
  });

  it('raises the signal of deliveries, if there are any', async () => {
    let raised = 0;
    const unlisten = shop.feed.stores.deliverySignal.listen(() => raised++);
    await shop.happen(['pet.updated']);
    await shop.key('key_1', { scopes: [MANAGE, 'orders:read'] });
    await shop.endpoint('key_1');
    await shop.happen(['pet.updated']);
    expect(raised).toBe(0);
    await shop.happen(['order.placed', 'key_1'], ['order.expired', 'key_1']);
    expect(raised).toBe(1);
    unlisten();
  });

  it('is queued by the rules of the domain, whatever types and scopes there are', async () => {
    const scopes = fc.subarray([MANAGE, 'pets:read', 'orders:read', 'orders:manage', 'other'], {
      minLength: 1,
    });
    const types = fc.option(fc.subarray([...WebhookTypes.ALL], { minLength: 1 }), { nil: undefined });
    const events: (readonly [string, string?])[] = [];
    for (const type of EVENT_TYPES) {
      if (!type.startsWith('order.')) events.push([type]);
      else events.push([type, 'key_0'], [type, 'key_7']);
    }
    const endpoints = fc.sample(fc.record({ scopes, types }), 60);
    for (const [n, endpoint] of endpoints.entries()) {
      await shop.key(`key_${n}`, { scopes: endpoint.scopes });
      await shop.endpoint(`key_${n}`, { types: endpoint.types });
    }
    await shop.happen(...events);
    const expected = events.flatMap(([type, audience], at) =>
      endpoints.flatMap((endpoint, n) => {
        const held: ReadonlySet<string> = new Set(endpoint.scopes);
        const { resources, audience: own } = visibleEvents({ keyId: `key_${n}`, scopes: held });
        const resource = type.slice(0, type.indexOf('.')) as EventResource;
        const sees = resources.includes(resource) || (audience !== undefined && audience === own);
        const asksFor = endpoint.types?.some((one) => one === type || one === `${resource}.*`) ?? true;
        const receives = held.has(MANAGE) && sees && asksFor;
        return receives ? [`${n + 1} ${at + 1} ${type}`] : [];
      }),
    );
    expect(await told()).toEqual(expected);
  });

  it('waits for an endpoint that is being removed, and is queued for the others', async () => {
    await shop.key('key_1');
    await shop.endpoint('key_1');
    await shop.endpoint('key_1');
    const removing = new Client(shop.feed.postgres.url);
    await removing.connect();
    await removing.query('begin');
    await removing.query('delete from webhooks where id = 1');
    const happening = shop.happen(['pet.updated']);
    await removing.query('select pg_sleep(0.1)');
    await removing.query('commit');
    await happening;
    await removing.end();
    expect(await told()).toEqual(['2 1 pet.updated']);
  });
});

describe('the types that can be asked for', () => {
  it('are those of all orders, too', () => {
    const orders = EVENT_TYPES.filter((type) => type.startsWith('order.'));
    expect([...orders].sort()).toEqual(OrderStatus.ALL.map((status) => `order.${status}`).sort());
  });
});
