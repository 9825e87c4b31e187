import { describe, expect, it } from '@jest/globals';
import { expectError, expectLimitHeaders } from '../support/contract.js';
import { serveShared } from '../support/running-service.js';

const { running, client } = await serveShared();
const anonymous = running.connect();

const EVERY_METHOD = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'];
const UNKNOWN_PATHS = (
  '/v1 /v1/ /v1/events/ /v1/events/1 /v1/store /v1/store/inventory/ /v1/usage/ /v1/usage/1 /v1/pets/ /v1//pets ' +
  '/v1/PETS /v1/Pets /v1/pets/1/ /v1/pets/1/photos /v1/store/orders/1/adopt /v1/categories/1/pets /v1/%70ets ' +
  '/v1/pets%2F1 /v1/docs /v1/../docs /v1/%zz'
).split(' ');
const [LIST, READ] = ['GET, HEAD, OPTIONS, POST', 'GET, HEAD, OPTIONS'];
const PET = 'DELETE, GET, HEAD, OPTIONS, PATCH';
/** What the methods of a path are. */
const ALLOWED: readonly (readonly [path: string, allow: string])[] = [
  ['/v1/pets', LIST],
  ['/v1/pets/1', PET],
  ['/v1/pets/abc', PET],
  ['/v1/pets/1/profile', 'GET, HEAD, OPTIONS, PUT'],
  ['/v1/store/orders/1/cancel', 'OPTIONS, POST'],
  ['/v1/events', READ],
  ['/v1/usage', READ],
  ['/v1/store/inventory', READ],
];

describe('a request without a valid key', () => {
  it.each([
    ...ALLOWED.map(([path]) => path),
    ...['/v1/pets?limit=0', '/v1/pets?cursor=x', '/v1/events?after=x'],
    ...UNKNOWN_PATHS,
  ])('learns nothing about %.40s, whatever the method', async (path) => {
    for (const method of EVERY_METHOD) {
      const reply = await anonymous.send(path, { method });
      expectError(reply, 'missing_api_key');
      expect(reply.headers['www-authenticate']).toBe('Bearer realm="petstore"');
      expectLimitHeaders(reply);
    }
  });

  it('is refused before its body is looked at', async () => {
    for (const [body, headers] of [
      ['{"broken', {}],
      ['x'.repeat(100_000), {}],
      ['{}', { 'Content-Type': 'text/plain', 'Content-Encoding': 'zstd' }],
    ] as const)
      expectError(await anonymous.post('/v1/pets', body, { headers }), 'missing_api_key');
  });
});

describe('a request with a key', () => {
  it.each(UNKNOWN_PATHS)('finds nothing at %s', async (path) => {
    for (const method of EVERY_METHOD) {
      const reply = await client.send(path, { method });
      expectError(reply, 'route_not_found');
      expectLimitHeaders(reply);
    }
  });

  it.each(ALLOWED)('is told which methods %s has', async (path, allow) => {
    for (const method of EVERY_METHOD.filter((each) => !allow.includes(each))) {
      const reply = await client.send(path, { method });
      expectError(reply, 'method_not_allowed');
      expect(reply.headers.allow).toBe(allow);
      expectLimitHeaders(reply);
    }
  });

  it('is refused for its target, before its key is looked at, only when that is longer than 8,192 bytes', async () => {
    const target = (length: number): string => '/v1/pets?_='.padEnd(length, 'a');
    expect((await client.get(target(8192))).status).toBe(200);
    for (const each of [client, anonymous]) expectError(await each.get(target(8193)), 'uri_too_long');
  });

  it('needs the scope of the operation, before its body is looked at', async () => {
    const reader = await running.client({ scopes: ['pets:read'] });
    const writer = await running.client({ scopes: ['pets:write'] });
    const body = { name: 'a', categoryId: 1 };
    expect((await reader.get('/v1/pets')).status).toBe(200);
    expect((await writer.post('/v1/pets', body)).status).toBe(201);
    for (const reply of [
      await reader.post('/v1/pets', body),
      await reader.post('/v1/pets', '{"broken'),
      await writer.get('/v1/pets'),
      await writer.get('/v1/pets/1'),
    ]) {
      expectError(reply, 'insufficient_scope');
      expect(reply.headers['www-authenticate']).toMatch(/^Bearer .*error="insufficient_scope"/);
      expectLimitHeaders(reply);
    }
  });
});

/** What the URL standard leaves as it is in a query or a path, and the rest of visible ASCII; `#` is in no target. */
const CHARACTERS = Array.from({ length: 94 }, (_, i) => String.fromCharCode(0x21 + i)).filter(
  (c) => c !== '#',
);

describe('every visible character', () => {
  it('is one of a parameter that is ignored', async () => {
    for (const character of CHARACTERS)
      expect((await client.get(`/v1/pets?limit=1&_=${character}`)).status).toBe(200);
    expectError(await anonymous.get('/v1/pets?x=\\|'), 'missing_api_key');
  });

  it('in a path makes an id or a path that does not exist, after the key and the limit', async () => {
    for (const character of CHARACTERS.filter((each) => !'/?'.includes(each))) {
      const id = await client.get(`/v1/pets/a${character}b`);
      expectError(id, 'pet_not_found');
      expectLimitHeaders(id);
      expect(id.headers).toHaveProperty('deprecation');
      const path = await client.get(`/v1/pets${character}b`);
      expectError(path, 'route_not_found');
      expectLimitHeaders(path);
    }
    expectError(await anonymous.get('/v1/pets/\\'), 'missing_api_key');
  });
});

describe('OPTIONS', () => {
  it.each(ALLOWED)('tells every client the methods of %s', async (path, allow) => {
    const reply = await anonymous.send(path, { method: 'OPTIONS' });
    expect(reply).toMatchObject({ status: 204, text: '', headers: { allow } });
    expectLimitHeaders(reply);
  });

  it('tells no client without a key which other paths there are', async () => {
    expectError(await anonymous.send('/v1/unknown', { method: 'OPTIONS' }), 'missing_api_key');
    expectError(await client.send('/v1/unknown', { method: 'OPTIONS' }), 'route_not_found');
  });
});

describe('the rate limit', () => {
  it('refuses the 61st request of a minute on the Free plan, before looking at anything else', async () => {
    const free = await running.client({ plan: 'free' });
    // 200, 400, 404 and 405 use quota alike.
    const paths = ['/v1/pets', '/v1/pets?limit=0', '/v1/pets/abc', '/v1/unknown'];
    for (let i = 0; i < 60; i++) {
      const reply = await free.get(paths[i % paths.length] ?? '');
      expect(reply.status).not.toBe(429);
      expect(reply.headers['x-ratelimit-limit']).toBe('60');
      expect(reply.headers['x-ratelimit-remaining']).toBe(String(59 - i));
    }
    for (const reply of [
      await free.get('/v1/pets'),
      await free.post('/v1/pets', '{"broken'),
      await free.get('/v1/unknown'),
    ]) {
      expectError(reply, 'rate_limit_exceeded');
      expectLimitHeaders(reply);
      const wait = Number(reply.headers['retry-after']);
      expect(wait).toBeGreaterThanOrEqual(1);
      expect(wait).toBeLessThanOrEqual(60);
      expect(reply.headers['x-ratelimit-remaining']).toBe('0');
    }
  });

  it('admits exactly 60 of 200 requests at once on a fresh Free key', async () => {
    const free = await running.client({ plan: 'free' });
    const replies = await Promise.all(Array.from({ length: 200 }, () => free.get('/v1/pets?limit=1')));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(140);
  });
});
