import { describe, expect, it } from '@jest/globals';
import type { Client, Reply } from '../support/client.js';
import { expectError, expectLimitHeaders } from '../support/contract.js';
import { serve } from '../support/running-service.js';
import { act, ORDERS, place } from '../support/shop.js';

const AFTER_SUNSET = Date.UTC(2031, 0, 1);

const { running, client } = await serve({ GET_PET_AFTER_SUNSET: 'remove' }, { now: () => AFTER_SUNSET });
/** Of an animal that is sold. */
const { headers: sold } = await client.post('/v1/pets', { name: 'Rex', categoryId: 7, status: 'sold' });
const path = String(sold.location);

/** Each has what is wrong with those behind it, too: the first mistake is the one that is told. */
describe('of several mistakes the first of this order is told:', () => {
  const nonsense = { 'Content-Type': 'text/plain', 'If-Match': 'x' };
  /** Writes that have every mistake. */
  const send = (by: Client, key?: { key: string }): Promise<Reply[]> =>
    Promise.all([
      by.patch('/v1/pets/x', '{', { headers: nonsense, ...key }),
      by.post('/v1/pets/x', '{', { method: 'DELETE', headers: nonsense, ...key }),
      by.post(`${ORDERS}/x/cancel`, '{', { headers: nonsense, ...key }),
    ]);

  it('no key, or one that is not valid', async () => {
    for (const reply of await send(running.connect())) expectError(reply, 'missing_api_key');
    for (const reply of await send(client, { key: 'wrong' })) expectError(reply, 'invalid_api_key');
  });

  it('a used-up limit, which holds for the scope, too', async () => {
    const free = await running.client({ plan: 'free', scopes: ['pets:read'] });
    for (let n = 0; n < 60; n++) await free.get('/v1/pets?limit=1');
    for (const reply of await send(free)) {
      expectError(reply, 'rate_limit_exceeded');
      expectLimitHeaders(reply);
    }
  });

  it('a scope that the key lacks', async () => {
    const reader = await running.client({ scopes: ['pets:read'] });
    for (const reply of await send(reader)) expectError(reply, 'insufficient_scope');
    const writer = await running.client({ scopes: ['pets:write'] });
    for (const target of ['/v1/events?after=x', '/v1/store/inventory?categoryId=x'])
      expectError(await writer.get(target), 'insufficient_scope');
    expect((await writer.patch(path, {})).status).toBe(200);
  });

  it.each<[string, unknown, object]>([
    ['unsupported_media_type', '{', { 'Content-Type': 'text/plain', 'If-Match': '"other"' }],
    ['payload_too_large', 'x'.repeat(17_000), { 'If-Match': '"other"' }],
    ['invalid_json', '{', { 'If-Match': '"other"' }],
    ['validation_failed', { name: null, reason: '' }, { 'If-Match': '"other"' }],
  ])('a body that cannot be: %s', async (code, body, headers) => {
    expectError(await client.patch('/v1/pets/x', body, { headers: { ...headers } }), code);
    expectError(await client.post(`${ORDERS}/x/cancel`, body, { headers: { ...headers } }), code);
  });

  it('a header field that cannot be', async () => {
    expectError(await client.patch('/v1/pets/x', {}, { headers: { 'If-Match': 'x' } }), 'invalid_parameter');
    const headers = { 'Idempotency-Key': 'a b' };
    expectError(await client.post(ORDERS, { petId: 0 }, { headers }), 'invalid_parameter');
  });

  it('another state than If-Match names, and last a conflict', async () => {
    const conflict = { status: 'pending' };
    const other = await client.patch(path, conflict, { headers: { 'If-Match': '"other"' } });
    expectError(other, 'precondition_failed');
    const { etag } = other.headers;
    for (const headers of [{}, { 'If-Match': etag }])
      expectError(await client.patch(path, conflict, { headers }), 'invalid_status_transition');
    const { id } = await place(client);
    await act(client, id, 'cancel');
    expectError(await act(client, id, 'approve'), 'invalid_order_transition');
  });
});

describe('the path of an animal', () => {
  it('says in OPTIONS and 405 what it takes', async () => {
    const options = await client.send('/v1/pets/1', { method: 'OPTIONS' });
    expect(options).toMatchObject({ status: 204, text: '' });
    const refused = await client.send('/v1/pets/1', { method: 'PUT' });
    expectError(refused, 'method_not_allowed');
    for (const { headers } of [options, refused])
      expect(headers['accept-patch']).toBe('application/merge-patch+json, application/json');
    const list = await client.send('/v1/pets', { method: 'OPTIONS' });
    expect(list.headers).not.toHaveProperty('accept-patch');
  });

  it('can still be written to when its GET has been removed', async () => {
    const { headers } = await client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
    const target = String(headers.location);
    expectError(await client.get(target), 'operation_removed');
    expect((await client.send(target, { method: 'HEAD' })).status).toBe(410);
    const changed = await client.patch(target, { name: 'Max' }, { headers: { 'If-Match': headers.etag } });
    expect(changed.status).toBe(200);
    const removed = await client.delete(target, { headers: { 'If-Match': changed.headers.etag } });
    expect(removed.status).toBe(204);
    for (const reply of [changed, removed])
      for (const field of ['deprecation', 'sunset', 'link']) expect(reply.headers).not.toHaveProperty(field);
  });
});
