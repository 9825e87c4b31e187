import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Reply } from '../support/client.js';
import { expectError, expectLimitHeaders } from '../support/contract.js';
import { serve } from '../support/running-service.js';
import { addPet, ORDERS, place } from '../support/shop.js';
import { until } from '../support/until.js';

const SHOP = 'https://shop.example.com';
const OTHER = 'http://localhost:8080';
/** Whatever the response is. */
const VARY = 'Origin, Authorization';

const { running, client } = await serve({ CORS_ORIGINS: `${SHOP},${OTHER}` });
const anonymous = running.connect();

const words = (text: string | undefined): string[] => (text ?? '').toLowerCase().split(/, ?/);

describe('every response', () => {
  it('has a request id, the one that was sent if it is fit for a log line', async () => {
    const idFor = async (sent: string): Promise<unknown> =>
      (
        await anonymous.get('/livez', {
          headers: { 'X-Request-Id': sent, Authorization: 'Bearer some-key-of-others' },
        })
      ).headers['x-request-id'];
    for (const id of ['12345678', 'order-66_abc', 'x'.repeat(64)]) expect(await idFor(id)).toBe(id);
    const key = `order-pet_live_${'0'.repeat(38)}`;
    // Also a piece of the key that the request carries.
    for (const id of ['1234567', 'x'.repeat(65), 'with space', 'a"quote"', key, 'some-key-of'])
      expect(await idFor(id)).toMatch(/^[\w-]{36}$/);
  });

  const OF_PAGES = {
    'referrer-policy': 'no-referrer',
    'strict-transport-security': expect.stringContaining('max-age='),
    'cross-origin-resource-policy': 'same-origin',
    'x-frame-options': 'SAMEORIGIN',
  };
  it.each([
    ...['/v1/pets', '/v1/unknown', '/livez'].map((path) => ({ path, fields: {} })),
    ...['/docs', '/docs/nothing', '/openapi.json', '/nowhere', '/'].map((path) => ({
      path,
      fields: OF_PAGES,
    })),
  ])('tells browsers to be careful with $path', async ({ path, fields }) => {
    for (const sender of [client, anonymous]) {
      const { headers } = await sender.get(path);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'/),
        ...fields,
      });
      // What a response that is no page has no use for.
      for (const name of Object.keys(OF_PAGES)) expect(name in headers).toBe(name in fields);
      expect(headers).not.toHaveProperty('x-powered-by');
      // The document is public: tools in pages of any origin may read it.
      const allowed = path === '/openapi.json' ? '*' : undefined;
      expect(headers['access-control-allow-origin']).toBe(allowed);
    }
  });
});

describe('every GET under /v1', () => {
  beforeAll(async () => {
    const petId = await addPet(client);
    await addPet(client);
    await place(client, petId);
    await client.post('/v1/categories/7', { name: 'Dogs' }, { method: 'PUT' });
    await client.post('/v1/webhooks', { url: 'https://shop.example/' });
    // The page below is full, and so leads to the same one from then on.
    await until(async () => (await client.get('/v1/events')).text.split('"type"').length > 3);
  });

  it.each([
    '/v1/pets',
    '/v1/pets?limit=1',
    '/v1/pets?categoryId=7',
    '/v1/pets?ids=1,2',
    '/v1/pets/1',
    '/v1/pets/1/profile',
    '/v1/categories',
    '/v1/categories/7',
    '/v1/store/inventory',
    '/v1/events?limit=3',
    '/v1/usage',
    ORDERS,
    `${ORDERS}/1`,
    '/v1/webhooks',
    '/v1/webhooks/1',
    '/v1/webhooks/1/deliveries',
  ])('has the same header fields, HEAD, and 304 for a client that has it: %s', async (path) => {
    const fields = {
      'cache-control': 'private, no-cache',
      vary: VARY,
      etag: expect.stringMatching(/^"[\w.-]+"$/),
    };
    const get = await client.get(path);
    expect(get.status).toBe(200);
    expect(get.headers).toMatchObject({ ...fields, 'content-type': 'application/json' });
    expectLimitHeaders(get);
    const head = await client.send(path, { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers).toMatchObject({ ...fields, 'content-type': 'application/json' });
    expect(head.headers['link']).toBe(get.headers['link']);
    // What is counted may have changed meanwhile.
    await until(async () => {
      const { text, headers } = await client.get(path);
      const again = await client.get(path, { headers: { 'If-None-Match': headers.etag } });
      if (again.status === 200) return false;
      expect([again.status, again.text]).toEqual([304, '']);
      expect(again.headers).toMatchObject({ ...fields, etag: headers.etag });
      expect(again.headers['link']).toBe(headers['link']);
      const other = await client.send(path, { method: 'HEAD', headers: { 'If-None-Match': '"other"' } });
      return other.status === 200 && other.headers['content-length'] === String(Buffer.byteLength(text));
    });
  });
});

describe('outside of /v1', () => {
  it.each([
    ...['/pets', '/V1/pets', '//v1/pets', '/v2/pets', '/metrics', '/favicon.ico', '/livez/', '/%zz', '/*'],
  ])('there is nothing at %s, with or without a key', async (path) => {
    for (const sender of [client, anonymous]) {
      const reply = await sender.get(path);
      expectError(reply, 'route_not_found');
      expect(reply.headers).not.toHaveProperty('x-ratelimit-limit');
    }
  });

  it('health, the docs and the documents need no key', async () => {
    for (const path of ['/livez', '/readyz', '/docs', '/docs/guide', '/llms.txt', '/openapi.json']) {
      const { status, headers } = await anonymous.get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(headers).not.toHaveProperty('x-ratelimit-limit');
    }
  });
});

const from = (origin: string, path = '/v1/pets', key?: string): Promise<Reply> =>
  client.get(path, { headers: { Origin: origin }, ...(key !== undefined && { key }) });
const preflight = (path: string, origin = SHOP): Promise<Reply> =>
  anonymous.send(path, {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
    },
  });

describe('an origin that is named', () => {
  it.each([SHOP, OTHER])('may read responses and their header fields: %s', async (origin) => {
    const { status, headers } = await from(origin);
    expect(status).toBe(200);
    expect(headers['access-control-allow-origin']).toBe(origin);
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    expect(words(headers['access-control-expose-headers'])).toEqual(
      expect.arrayContaining(
        (
          'x-ratelimit-limit x-ratelimit-remaining x-ratelimit-reset ratelimit ratelimit-policy link location etag ' +
          'retry-after x-request-id deprecation sunset idempotent-replayed www-authenticate allow accept-patch accept-encoding'
        ).split(' '),
      ),
    );
    const has = { Origin: origin, 'If-None-Match': headers.etag };
    const unchanged = await client.get('/v1/pets', { headers: has });
    expect(unchanged.status).toBe(304);
    expect(unchanged.headers['access-control-allow-origin']).toBe(origin);
  });

  it('may read refusals: no key, no animal, too many requests', async () => {
    const free = await running.issueKey({ plan: 'free' });
    for (let n = 0; n < 60; n++) await from(SHOP, '/v1/pets?limit=1', free);
    for (const [code, reply] of [
      ['invalid_api_key', await from(SHOP, '/v1/pets', 'unknown')],
      ['pet_not_found', await from(SHOP, '/v1/pets/999999')],
      ['rate_limit_exceeded', await from(SHOP, '/v1/pets', free)],
    ] as const) {
      expectError(reply, code);
      expectLimitHeaders(reply);
      expect(reply.headers['access-control-allow-origin']).toBe(SHOP);
      expect(words(reply.headers['access-control-expose-headers'])).toContain('retry-after');
    }
  });

  it.each(['/v1/pets', '/v1/pets/1', '/v1/events', '/v1/store/inventory', '/v1/usage'])(
    'is told before it calls %s what it may send',
    async (path) => {
      const { status, text, headers } = await preflight(path);
      expect([status, text]).toEqual([204, '']);
      expect(headers.allow).toContain('OPTIONS');
      expect(headers['access-control-allow-origin']).toBe(SHOP);
      expect(words(headers['access-control-allow-methods'])).toEqual(
        'delete get head patch post put'.split(' '),
      );
      expect(words(headers['access-control-allow-headers'])).toEqual(
        expect.arrayContaining(
          'authorization content-type idempotency-key if-none-match if-match traceparent tracestate baggage'.split(
            ' ',
          ),
        ),
      );
      expect(headers['access-control-max-age']).toBe('7200');
    },
  );
});

it.each([
  'https://evil.example.com',
  'null',
  'https://shop.example.com.evil.example',
  'http://shop.example.com',
])('an origin that is not named may read nothing: %s', async (origin) => {
  expect((await from(origin)).headers).not.toHaveProperty('access-control-allow-origin');
});

it.each([
  ['origins are named', SHOP, SHOP],
  ['every origin may call', '*', '*'],
  ['no origin may call', undefined, undefined],
])('every response under /v1 has the same Vary when %s', async (_when, setting, allowed) => {
  const { origin } = await running.another({ CORS_ORIGINS: setting });
  const [own, keyless] = [
    running.connect(await running.issueKey(), origin),
    running.connect(undefined, origin),
  ];
  for (const headers of [{}, { Origin: SHOP }]) {
    const added = await own.post('/v1/pets', { name: 'Rex', categoryId: 7 }, { headers });
    const path = String(added.headers.location);
    const shown = await own.get(path, { headers });
    const replies = [
      added,
      shown,
      await own.get(path, { headers: { ...headers, 'If-None-Match': shown.headers.etag } }),
      await own.send(path, { headers, method: 'HEAD' }),
      await own.patch(path, { name: 'Max' }, { headers }),
      await own.delete(path, { headers }),
      await own.delete(path, { headers }),
      await own.post('/v1/pets', '{', { headers }),
      await own.send('/v1/pets', { headers, method: 'PUT' }),
      await own.get('/v1/nothing', { headers }),
      await own.get(`/v1/pets?x=${'x'.repeat(9_000)}`, { headers }),
      await keyless.get('/v1', { headers }),
      await keyless.send('/v1/pets', { headers, method: 'OPTIONS' }),
    ];
    expect(replies.map(({ status, headers: { vary } }) => [status, vary])).toEqual(
      [201, 200, 304, 200, 200, 204, 404, 400, 405, 404, 414, 401, 204].map((status) => [status, VARY]),
    );
    // A preflight, which carries no key, is answered for pages of any origin.
    const read = setting === undefined ? replies.slice(0, -1) : replies;
    const fields = read.flatMap((reply) => Object.entries(reply.headers));
    const crossOrigin = fields.filter(([name]) => name.startsWith('access-control'));
    if (setting === undefined) expect(crossOrigin).toEqual([]);
    else if ('Origin' in headers)
      expect(crossOrigin).toContainEqual(['access-control-allow-origin', allowed]);
  }
});
