import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '../support/client.js';
import { expectError, expectLimitHeaders } from '../support/contract.js';
import { allPages } from '../support/listed-pets.js';
import { serve } from '../support/running-service.js';
import { act, addPet, orderOf, ORDERS, place, statusOf } from '../support/shop.js';

const HOUR_MS = 3_600_000;

const { running } = await serve({ ORDER_HOLD_HOURS: '1.5', MAX_OPEN_ORDERS_PER_KEY: '3' });
/** Of a key without orders. */
let client: Client;

const withoutOrders = async (): Promise<void> => {
  client = await running.client();
};

describe('POST /v1/store/orders', () => {
  beforeEach(withoutOrders);

  it('reserves the animal, and says where the order is', async () => {
    const petId = await addPet(client);
    const body = `{"petId":${petId}.0,"reference":"site \\"4711\\" 🐕","status":"approved","other":1}`;
    const reply = await client.post(ORDERS, body);
    const order = orderOf(reply);
    expect(reply.status).toBe(201);
    expect(Object.keys(order)).toEqual([
      ...['id', 'petId', 'status', 'reference', 'placedBy', 'placedAt', 'updatedAt', 'expiresAt'],
    ]);
    expect(order).toMatchObject({ petId, status: 'placed', reference: 'site "4711" 🐕' });
    expect(order.placedBy).toMatch(/^key_/);
    expect(order.updatedAt).toBe(order.placedAt);
    expect(Date.parse(order.expiresAt ?? '') - Date.parse(order.placedAt)).toBe(1.5 * HOUR_MS);
    expect(Math.abs(Date.parse(order.placedAt) - Date.now())).toBeLessThan(60_000);
    expect(reply.headers).toMatchObject({
      location: `${ORDERS}/${order.id}`,
      'cache-control': 'private, no-cache',
      vary: 'Origin, Authorization',
    });
    expectLimitHeaders(reply);
    const read = await client.get(reply.headers.location ?? '');
    expect([read.status, read.text, read.headers.etag]).toEqual([200, reply.text, reply.headers.etag]);
    expect(await statusOf(client, petId)).toBe('pending');
  });

  it('refuses an animal that is pending, sold or not there, and does not remember that', async () => {
    const headers = { 'Idempotency-Key': 'refused' };
    const refusal = async (petId: number | string): Promise<string> => {
      const reply = await client.post(ORDERS, `{"petId":${petId}}`, { headers });
      expectError(reply, 'pet_not_available');
      return reply.text;
    };
    const petId = await addPet(client, 'pending');
    expect(await refusal(petId)).toContain('The animal is pending.');
    expect(await refusal(await addPet(client, 'sold'))).toContain('The animal is sold.');
    expect(await refusal('9223372036854775807')).toContain('No animal has this id.');
    await client.patch(`/v1/pets/${petId}`, { status: 'available' });
    expect((await client.post(ORDERS, { petId }, { headers })).status).toBe(201);
  });

  it('is carried out once with an Idempotency-Key, even if the order goes on meanwhile', async () => {
    const body = { petId: await addPet(client), reference: 'once' };
    const headers = { 'Idempotency-Key': 'once' };
    const first = await client.post(ORDERS, body, { headers });
    // Though no other request could place one now.
    expect((await client.post(ORDERS, body, { headers })).text).toBe(first.text);
    await act(client, orderOf(first).id, 'cancel');
    const again = await client.post(ORDERS, body, { headers });
    const { location, etag } = first.headers;
    expect(again).toMatchObject({ status: 201, text: first.text });
    expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true', location, etag });
    expect(await statusOf(client, body.petId)).toBe('available');
    for (const [path, other] of [
      [ORDERS, { petId: await addPet(client, 'sold') }],
      [ORDERS, { petId: body.petId }],
      [ORDERS, { ...body, reference: 'twice' }],
      ['/v1/pets', { name: 'Rex', categoryId: 7 }],
      ['/v1/categories', { name: 'Order' }],
    ] as const)
      expectError(await client.post(path, other, { headers }), 'idempotency_key_reused');
  });

  it.each<[string, (n: number) => Record<string, string>]>([
    ['without', () => ({})],
    ['each with an Idempotency-Key', (n) => ({ 'Idempotency-Key': `contender-${n}` })],
  ])('200 times at once for one animal, %s: exactly one succeeds', async (_with, headersOf) => {
    const petId = await addPet(client);
    const contenders = await Promise.all(Array.from({ length: 10 }, () => running.client()));
    const requests = contenders.flatMap((by, key) =>
      Array.from({ length: 20 }, (_, n) => by.post(ORDERS, { petId }, { headers: headersOf(20 * key + n) })),
    );
    const replies = await Promise.all(requests);
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const reply of replies) if (reply.status !== 201) expectError(reply, 'pet_not_available');
  });

  it('is limited to so many open orders of a key, before anything is said of the animal', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, async () => client.post(ORDERS, { petId: await addPet(client) })),
    );
    const orders = replies.filter(({ status }) => status === 201).map(orderOf);
    expect(orders).toHaveLength(3);
    for (const reply of replies) if (reply.status !== 201) expectError(reply, 'order_limit_reached');
    const refused = async (petId?: number): Promise<void> => {
      const reply = await client.post(ORDERS, { petId });
      expectError(reply, 'order_limit_reached');
      expect(reply.text).toContain('3 open orders');
    };
    const [{ id, petId } = { id: 0, petId: 0 }] = orders;
    for (const each of [await addPet(client), petId, 999_999_999]) await refused(each);
    await act(client, id, 'approve');
    await refused(await addPet(client));
    await act(client, id, 'deliver');
    await place(client);
    // The limit of one key is not that of another.
    await place(await running.client());
  });
});

describe('GET /v1/store/orders', () => {
  beforeEach(withoutOrders);

  it('shows orders newest first, narrowed by state and animal', async () => {
    // Those of this key alone.
    const own = await running.client({ scopes: ['pets:write', 'orders:read', 'orders:write'] });
    const orders = [await place(own), await place(own), await place(own)].reverse();
    const petId = orders[0]?.petId ?? 0;
    for (let n = 0; n < 3; n++) {
      await act(own, orders[0]?.id ?? 0, 'cancel');
      orders.unshift(await place(own, petId));
    }
    const ids = async (query: string): Promise<number[]> =>
      (await allPages(own, `${ORDERS}?${query}`)).map(({ id }) => id);
    expect(await ids('limit=4')).toEqual(orders.map(({ id }) => id));
    const ofPet = orders.filter((order) => order.petId === petId).map(({ id }) => id);
    expect(await ids(`limit=2&petId=${petId}`)).toEqual(ofPet);
    expect(await ids(`limit=1&petId=${petId}&status=cancelled`)).toEqual(ofPet.slice(1));
    expect(await ids(`petId=${petId}&status=expired`)).toEqual([]);
  });
});

describe('an animal with an order', () => {
  beforeEach(withoutOrders);

  it('changes its status with the order alone', async () => {
    const { id, petId } = await place(client);
    const path = `/v1/pets/${petId}`;
    expectError(await client.patch(path, { status: 'available' }), 'pet_held_by_order');
    expect((await client.patch(path, { status: 'pending', name: 'Mia' })).status).toBe(200);
    expectError(await client.delete(path), 'pet_held_by_order');
    await act(client, id, 'approve');
    expectError(await client.delete(path), 'pet_held_by_order');
    await act(client, id, 'deliver');
    // Comes before invalid_status_transition, and behind 412.
    expectError(await client.patch(path, { status: 'pending' }), 'pet_held_by_order');
    const stale = { headers: { 'If-Match': '"x"' } };
    expectError(await client.patch(path, { status: 'available' }, stale), 'precondition_failed');
    expect((await client.delete(path)).status).toBe(204);
    expect((await act(client, id, 'return')).status).toBe(200);
    expect(await statusOf(client, petId)).toBeUndefined();
  });
});
