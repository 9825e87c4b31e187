import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client, Reply } from './client.js';
import { expectError, expectLimitHeaders } from './contract.js';
import { runService, type RunningService } from './running-service.js';
import { act, addPet, orderOf, ORDERS, place, statusOf } from './shop.js';

const HOUR = 3_600_000;

let running: RunningService;
let client: Client;

beforeAll(async () => {
  running = await runService({ ORDER_HOLD_HOURS: '1.5', ORDER_PICKUP_HOURS: '48' });
  client = await running.client();
});
afterAll(() => running.close());

describe('POST /v1/store/orders', () => {
  it('reserves the animal, and says where the order is', async () => {
    const petId = await addPet(client);
    const reply = await client.post(ORDERS, {
      petId,
      reference: 'site "4711" 🐕',
      status: 'approved',
      other: 1,
    });
    const order = orderOf(reply);
    expect(reply.status).toBe(201);
    expect(Object.keys(order)).toEqual([
      ...['id', 'petId', 'status', 'reference', 'placedBy', 'placedAt', 'updatedAt', 'expiresAt'],
    ]);
    expect(order).toMatchObject({ petId, status: 'placed', reference: 'site "4711" 🐕' });
    expect(order.placedBy).toMatch(/^key_/);
    expect(order.updatedAt).toBe(order.placedAt);
    expect(Date.parse(order.expiresAt ?? '') - Date.parse(order.placedAt)).toBe(1.5 * HOUR);
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

  it('takes a whole number however it is spelt', async () => {
    const petId = await addPet(client);
    expect((await client.post(ORDERS, `{"petId":${petId}.0}`)).status).toBe(201);
  });

  it.each(['pending', 'sold'])('is refused for an animal that is %s', async (status) => {
    const reply = await client.post(ORDERS, { petId: await addPet(client, status) });
    expectError(reply, 'pet_not_available');
    expect(reply.text).toContain(`The animal is ${status}.`);
  });

  it('is refused for no animal in the same way', async () => {
    const reply = await client.post(ORDERS, '{"petId":9223372036854775807}');
    expectError(reply, 'pet_not_available');
    expect(reply.text).toContain('No animal has this id.');
  });

  it.each([
    ['{}', 'petId must be a whole number from 1'],
    ['{"petId":null}', 'petId must be'],
    ['{"petId":"1"}', 'petId must be'],
    ['{"petId":0}', 'petId must be'],
    ['{"petId":1.5}', 'petId must be'],
    ['{"petId":9223372036854775808}', 'petId must be'],
    ['{"petId":1,"reference":null}', 'reference must be a string'],
    ['{"petId":1,"reference":""}', 'reference must be a string'],
    ['{"petId":1,"reference":7}', 'reference must be a string'],
    ['{"petId":1,"reference":"\\u0000"}', 'reference must be a string'],
    ['{"petId":"x","reference":""}', 'petId must be'],
  ])('refuses %s', async (body, message) => {
    const reply = await client.post(ORDERS, body);
    expectError(reply, 'validation_failed');
    expect(reply.text).toContain(message);
  });

  it('is carried out once with an Idempotency-Key, even if the order goes on meanwhile', async () => {
    const body = { petId: await addPet(client), reference: 'once' };
    const headers = { 'Idempotency-Key': 'order-1' };
    const first = await client.post(ORDERS, body, { headers });
    // Though nobody else could place one now.
    expect((await client.post(ORDERS, body, { headers })).text).toBe(first.text);
    await act(client, orderOf(first).id, 'cancel');
    const again = await client.post(ORDERS, body, { headers });
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expect(again.headers).toMatchObject({
      'idempotent-replayed': 'true',
      location: first.headers.location,
      etag: first.headers.etag,
    });
    expect(await statusOf(client, body.petId)).toBe('available');
    const taken = await addPet(client, 'sold');
    for (const other of [
      { petId: taken },
      { petId: body.petId },
      { ...body, reference: 'twice' },
      { ...body, petId: 1 },
    ])
      expectError(await client.post(ORDERS, other, { headers }), 'idempotency_key_reused');
    expectError(
      await client.post('/v1/pets', { name: 'Rex', categoryId: 7 }, { headers }),
      'idempotency_key_reused',
    );
    expectError(
      await client.post('/v1/categories', { name: 'Order' }, { headers }),
      'idempotency_key_reused',
    );
  });

  it('does not remember a refusal', async () => {
    const body = { petId: await addPet(client, 'pending') };
    const headers = { 'Idempotency-Key': 'order-2' };
    expectError(await client.post(ORDERS, body, { headers }), 'pet_not_available');
    await client.post(`/v1/pets/${body.petId}`, { status: 'available' }, { method: 'PATCH' });
    expect((await client.post(ORDERS, body, { headers })).status).toBe(201);
  });

  it('sent twice at once with one Idempotency-Key places one order', async () => {
    const body = { petId: await addPet(client) };
    const headers = { 'Idempotency-Key': 'order-3' };
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => client.post(ORDERS, body, { headers })),
    );
    const made = replies.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    for (const reply of replies.filter(({ status }) => status !== 201))
      expectError(reply, 'idempotency_in_progress');
  });
});

describe('an animal with an order', () => {
  it('changes its status with the order alone', async () => {
    const { id, petId } = await place(client);
    const patch = (body: object): Promise<Reply> =>
      client.post(`/v1/pets/${petId}`, body, { method: 'PATCH' });
    const held = await patch({ status: 'available' });
    expectError(held, 'pet_held_by_order');
    expect((await patch({ status: 'pending', name: 'Mia' })).status).toBe(200);
    expectError(await client.send(`/v1/pets/${petId}`, { method: 'DELETE' }), 'pet_held_by_order');
    await act(client, id, 'approve');
    expectError(await client.send(`/v1/pets/${petId}`, { method: 'DELETE' }), 'pet_held_by_order');
    await act(client, id, 'deliver');
    // Comes before invalid_status_transition.
    expectError(await patch({ status: 'pending' }), 'pet_held_by_order');
    // 412 comes before 409.
    const stale = { method: 'PATCH', headers: { 'If-Match': '"x"' } };
    expectError(
      await client.post(`/v1/pets/${petId}`, { status: 'available' }, stale),
      'precondition_failed',
    );
    expect((await client.send(`/v1/pets/${petId}`, { method: 'DELETE' })).status).toBe(204);
    expect((await act(client, id, 'return')).status).toBe(200);
    expect(await statusOf(client, petId)).toBeUndefined();
  });
});
