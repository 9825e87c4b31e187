import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from './client.js';
import { expectError, expectLimitHeaders } from './contract.js';
import { runService, type RunningService } from './running-service.js';

const BOTH = 'application/merge-patch+json, application/json';
const AFTER_SUNSET = Date.UTC(2031, 0, 1);

let running: RunningService;
let client: Client;
/** Of an animal that is sold. */
let path: string;

beforeAll(async () => {
  running = await runService({ CORS_ORIGINS: 'https://shop.example.com' });
  client = await running.client();
  const { headers } = await client.post('/v1/pets', { name: 'Rex', categoryId: 7, status: 'sold' });
  path = String(headers.location);
});
afterAll(() => running.close());

/** Each has what is wrong with those behind it, too: the first mistake is the one that is told. */
describe('of several mistakes the first of this order is told:', () => {
  const nonsense = { 'Content-Type': 'text/plain', 'If-Match': 'x' };
  const conflict = { status: 'pending' };

  it('no key, or one that is not valid', async () => {
    const anonymous = new Client(running.service.origin);
    for (const method of ['PATCH', 'DELETE']) {
      expectError(await anonymous.post('/v1/pets/x', '{', { method, headers: nonsense }), 'missing_api_key');
      const reply = await anonymous.post('/v1/pets/x', '{', { method, headers: nonsense, key: 'wrong' });
      expectError(reply, 'invalid_api_key');
    }
    anonymous.close();
  });

  it('a used-up limit, which holds for the scope, too', async () => {
    const free = await running.client({ plan: 'free', scopes: ['pets:read'] });
    for (let n = 0; n < 60; n++) await free.get('/v1/pets?limit=1');
    for (const method of ['PATCH', 'DELETE']) {
      const reply = await free.post('/v1/pets/x', '{', { method, headers: nonsense });
      expectError(reply, 'rate_limit_exceeded');
      expectLimitHeaders(reply);
    }
  });

  it('a scope that the key lacks', async () => {
    const reader = await running.client({ scopes: ['pets:read'] });
    for (const method of ['PATCH', 'DELETE'])
      expectError(await reader.post('/v1/pets/x', '{', { method, headers: nonsense }), 'insufficient_scope');
    const writer = await running.client({ scopes: ['pets:write'] });
    for (const target of ['/v1/events?after=x', '/v1/store/inventory?categoryId=x'])
      expectError(await writer.get(target), 'insufficient_scope');
    expect((await writer.patch(path, {})).status).toBe(200);
  });

  it('a body that cannot be', async () => {
    const headers = { 'If-Match': '"other"' };
    const text = { ...headers, 'Content-Type': 'text/plain' };
    expectError(await client.patch('/v1/pets/x', '{', { headers: text }), 'unsupported_media_type');
    expectError(await client.patch('/v1/pets/x', 'x'.repeat(17_000), { headers }), 'payload_too_large');
    expectError(await client.patch('/v1/pets/x', '{', { headers }), 'invalid_json');
    expectError(await client.patch('/v1/pets/x', { name: null }, { headers }), 'validation_failed');
    expectError(await client.patch('/v1/pets/x', {}, { headers: { 'If-Match': 'x' } }), 'invalid_parameter');
  });

  it('an animal that there is not, also where the path holds no id', async () => {
    const headers = { 'If-Match': '"other"' };
    for (const id of [
      'x',
      '0',
      '-1',
      '01',
      '1.0',
      '9223372036854775808',
      '9223372036854775807',
      '%00',
      '1%2F2',
    ]) {
      expectError(await client.patch(`/v1/pets/${id}`, conflict, { headers }), 'pet_not_found');
      expectError(await client.delete(`/v1/pets/${id}`, { headers }), 'pet_not_found');
      // `*` asks for any state, and there is none.
      expectError(await client.delete(`/v1/pets/${id}`, { headers: { 'If-Match': '*' } }), 'pet_not_found');
    }
  });

  it('another state than If-Match names', async () => {
    const reply = await client.patch(path, conflict, { headers: { 'If-Match': '"other"' } });
    expectError(reply, 'precondition_failed');
  });

  it('a conflict', async () => {
    expectError(await client.patch(path, conflict), 'invalid_status_transition');
    const { etag } = (await client.get(path)).headers;
    const reply = await client.patch(path, conflict, { headers: { 'If-Match': etag } });
    expectError(reply, 'invalid_status_transition');
  });
});

describe('the path of an animal', () => {
  it('says in OPTIONS and 405 what it takes', async () => {
    const anonymous = new Client(running.service.origin);
    const options = await anonymous.send('/v1/pets/1', { method: 'OPTIONS' });
    expect(options).toMatchObject({ status: 204, text: '' });
    const refused = await client.send('/v1/pets/1', { method: 'PUT' });
    expectError(refused, 'method_not_allowed');
    for (const { headers } of [options, refused]) {
      expect(headers).toMatchObject({ allow: 'DELETE, GET, HEAD, OPTIONS, PATCH', 'accept-patch': BOTH });
    }
    const list = await anonymous.send('/v1/pets', { method: 'OPTIONS' });
    expect(list.headers).not.toHaveProperty('accept-patch');
    anonymous.close();
  });

  it('can be written to by pages of other origins, with a precondition, and they may read what comes of it', async () => {
    const origin = 'https://shop.example.com';
    const preflight = await client.send(path, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'PATCH',
        'Access-Control-Request-Headers': 'authorization,content-type,if-match',
      },
    });
    const listed = (name: string): string[] => String(preflight.headers[name]).toLowerCase().split(/, ?/);
    expect(listed('access-control-allow-methods')).toEqual(expect.arrayContaining(['patch', 'delete']));
    expect(listed('access-control-allow-headers')).toEqual(
      expect.arrayContaining(['content-type', 'if-match']),
    );
    const reply = await client.patch(path, {}, { headers: { Origin: origin } });
    expect(reply.headers['access-control-allow-origin']).toBe(origin);
    const exposed = String(reply.headers['access-control-expose-headers']).toLowerCase().split(/, ?/);
    expect(exposed).toEqual(expect.arrayContaining(['etag', 'accept-patch', 'location', 'link']));
  });

  it('can still be written to when its GET has been removed', async () => {
    const later = await runService({ GET_PET_AFTER_SUNSET: 'remove' }, () => AFTER_SUNSET);
    const own = await later.client();
    const { headers } = await own.post('/v1/pets', { name: 'Rex', categoryId: 7 });
    const target = String(headers.location);
    expectError(await own.get(target), 'operation_removed');
    expect((await own.send(target, { method: 'HEAD' })).status).toBe(410);
    const changed = await own.patch(target, { name: 'Max' }, { headers: { 'If-Match': headers.etag } });
    expect(changed.status).toBe(200);
    const removed = await own.delete(target, { headers: { 'If-Match': changed.headers.etag } });
    expect(removed.status).toBe(204);
    for (const reply of [changed, removed]) {
      for (const field of ['deprecation', 'sunset', 'link']) expect(reply.headers).not.toHaveProperty(field);
    }
    await later.close();
  });
});
