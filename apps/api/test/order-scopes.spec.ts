import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type KeyId, Scope } from '@petstore/api-key';
import type { Client } from './client.js';
import { expectError } from './contract.js';
import { runService, type RunningService } from './running-service.js';
import { act, addPet, orderOf, ORDERS, place } from './shop.js';
import { until } from './until.js';

let running: RunningService;
/** Of a shop: its own orders. */
let shop: Client;
let other: Client;
/** Of the shelter: all orders. */
let desk: Client;

const scopes = (...texts: string[]): { scopes: readonly Scope[] } => ({
  scopes: texts.flatMap((text) => Scope.parse(text) ?? []),
});

beforeAll(async () => {
  running = await runService({ MAX_OPEN_ORDERS_PER_KEY: '3' });
  const ofShop = ['pets:read', 'pets:write', 'orders:read', 'orders:write'];
  [shop, other, desk] = await Promise.all([
    running.client(scopes(...ofShop)),
    running.client(scopes(...ofShop)),
    running.client(scopes('pets:read', 'orders:read', 'orders:write', 'orders:manage')),
  ]);
});
afterAll(() => running.close());

describe('what a key reaches', () => {
  it('are its own orders; those of others do not exist for it', async () => {
    const { id } = await place(shop);
    expectError(await other.get(`${ORDERS}/${id}`), 'order_not_found');
    expectError(await act(other, id, 'cancel'), 'order_not_found');
    expect((await other.get(ORDERS)).text).toBe('[]');
    expect((await shop.get(`${ORDERS}/${id}`)).status).toBe(200);
    expect((await shop.get(ORDERS)).text).toContain(`{"id":${id},`);
    expect((await act(shop, id, 'cancel')).status).toBe(200);
  });

  it('are the orders of all keys for the desk', async () => {
    const { id } = await place(other);
    expect((await desk.get(`${ORDERS}/${id}`)).status).toBe(200);
    expect((await desk.get(ORDERS)).text).toContain(`{"id":${id},`);
    expect((await act(desk, id, 'cancel')).status).toBe(200);
    expectError(await act(other, id, 'approve'), 'insufficient_scope');
  });

  it('ends with its scopes', async () => {
    const { id } = await place(shop);
    const reader = await running.client(scopes('orders:read'));
    const writer = await running.client(scopes('orders:write', 'pets:read', 'pets:write'));
    const manager = await running.client(scopes('orders:manage'));
    expect((await reader.get(ORDERS)).status).toBe(200);
    expectError(await reader.post(ORDERS, { petId: 1 }), 'insufficient_scope');
    expectError(await act(reader, id, 'cancel'), 'insufficient_scope');
    expectError(await writer.get(ORDERS), 'insufficient_scope');
    const own = await place(writer);
    expect((await act(writer, own.id, 'cancel')).status).toBe(200);
    expectError(await writer.post('/v1/categories', { name: 'Dogs' }), 'insufficient_scope');
    expectError(await manager.get(`${ORDERS}/${id}`), 'insufficient_scope');
    expectError(await act(manager, id, 'cancel'), 'insufficient_scope');
    expect((await act(manager, id, 'approve')).status).toBe(200);
    expect((await act(manager, id, 'decline')).status).toBe(200);
  });

  it('is what it was with a key that was created without scopes', async () => {
    const { PETSTORE_SCOPES } = await import('../src/access/petstore-scopes.js');
    const plain = await running.client({ scopes: PETSTORE_SCOPES.defaults });
    expect((await plain.get('/v1/pets')).status).toBe(200);
    expect((await plain.get('/v1/categories')).status).toBe(200);
    expect((await plain.get('/v1/store/inventory')).status).toBe(200);
    for (const reply of [
      await plain.get(ORDERS),
      await plain.post(ORDERS, { petId: 1 }),
      await plain.post('/v1/categories', { name: 'Dogs' }),
      await plain.post('/v1/categories/1', { name: 'Dogs' }, { method: 'PUT' }),
      await plain.send('/v1/categories/1', { method: 'DELETE' }),
      await act(plain, 1, 'approve'),
    ])
      expectError(reply, 'insufficient_scope');
  });
});

describe('the orders of a key', () => {
  const keyOf = async (client: Client): Promise<KeyId> => {
    const order = await place(client);
    await act(desk, order.id, 'decline');
    return order.placedBy as KeyId;
  };

  it('stay its own when it is rotated', async () => {
    const client = await running.client(scopes('pets:write', 'orders:read', 'orders:write'));
    const id = await keyOf(client);
    const order = await place(client);
    const { secret } = await running.administration.rotate(id, 0, 'tests');
    const rotated = client.with(secret);
    await until(async () => (await rotated.get(ORDERS)).status === 200);
    expect(orderOf(await rotated.get(`${ORDERS}/${order.id}`))).toEqual(order);
    expect(orderOf(await act(rotated, order.id, 'cancel'))).toMatchObject({
      placedBy: id,
      status: 'cancelled',
    });
    rotated.close();
  });

  it('stay when it is revoked, for the desk to handle', async () => {
    const client = await running.client(scopes('pets:write', 'orders:read', 'orders:write'));
    const id = await keyOf(client);
    const order = await place(client);
    await running.administration.revoke(id, 'tests');
    await until(async () => (await client.get(ORDERS)).status === 401);
    expectError(await act(client, order.id, 'cancel'), 'invalid_api_key');
    expect((await act(desk, order.id, 'approve')).status).toBe(200);
    expect(orderOf(await act(desk, order.id, 'deliver'))).toMatchObject({
      placedBy: id,
      status: 'delivered',
    });
  });

  it('are limited in number, before anything is said of the animal', async () => {
    const client = await running.client(scopes('pets:write', 'orders:read', 'orders:write'));
    const orders = [await place(client), await place(client), await place(client)];
    for (const petId of [await addPet(client), orders[0]?.petId, 999_999_999]) {
      const reply = await client.post(ORDERS, { petId });
      expectError(reply, 'order_limit_reached');
      expect(reply.text).toContain('3 open orders');
    }
    await act(desk, orders[0]?.id ?? 0, 'approve');
    expectError(await client.post(ORDERS, { petId: await addPet(client) }), 'order_limit_reached');
    await act(desk, orders[0]?.id ?? 0, 'deliver');
    await place(client);
    // The limit of one key is none of another.
    await act(other, (await place(other)).id, 'cancel');
  });
});

describe('the order of refusals', () => {
  it('is: key, rate, scope, body, path, precondition, state', async () => {
    const free = await running.client({ plan: 'free' });
    const broken = { headers: { 'Content-Type': 'text/plain' } };
    const path = `${ORDERS}/x/cancel`;
    expectError(
      await shop.send(path, { method: 'POST', body: '{', headers: { ...broken.headers, Authorization: '' } }),
      'missing_api_key',
    );
    for (let n = 0; n < 60; n++) await free.get('/v1/unknown');
    expectError(await free.post(path, '{', broken), 'rate_limit_exceeded');
    const reader = await running.client(scopes('pets:read'));
    expectError(await reader.post(path, '{', broken), 'insufficient_scope');
    expectError(await shop.post(path, '{', broken), 'unsupported_media_type');
    expectError(await shop.post(path, '{'), 'invalid_json');
    expectError(await shop.post(path, { reason: '' }), 'validation_failed');
    expectError(await shop.post(path, {}), 'order_not_found');
    const { id } = await place(shop);
    await act(shop, id, 'cancel');
    expectError(await act(desk, id, 'approve'), 'invalid_order_transition');
    expectError(
      await shop.post(ORDERS, { petId: 0 }, { headers: { 'Idempotency-Key': 'a b' } }),
      'invalid_parameter',
    );
  });
});
