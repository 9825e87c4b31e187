import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type Reply } from './client.js';
import { expectError, expectLimitHeaders } from './contract.js';
import { runService, type RunningService } from './running-service.js';

const SHOP = 'https://shop.example.com';
const OTHER = 'http://localhost:8080';
/** Whatever the response is. */
const VARY = 'Origin, Authorization';

let running: RunningService;
let client: Client;

beforeAll(async () => {
  running = await runService({ CORS_ORIGINS: `${SHOP},${OTHER}` });
  client = await running.client();
});
afterAll(() => running.close());

const from = (origin: string, path = '/v1/pets', key?: string): Promise<Reply> =>
  client.get(path, { headers: { Origin: origin }, ...(key !== undefined && { key }) });

const preflight = (path: string, origin = SHOP): Promise<Reply> =>
  new Client(running.service.origin).send(path, {
    method: 'OPTIONS',
    headers: {
      Connection: 'close',
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
    },
  });

const words = (text: string | undefined): string[] => (text ?? '').toLowerCase().split(/, ?/);

describe('an origin that is named', () => {
  it.each([SHOP, OTHER])('may read responses: %s', async (origin) => {
    const { status, headers } = await from(origin);
    expect(status).toBe(200);
    expect(headers['access-control-allow-origin']).toBe(origin);
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    expect(headers.vary).toBe(VARY);
  });

  it('may read every header field of the contract', async () => {
    const exposed = words((await from(SHOP)).headers['access-control-expose-headers']);
    expect(exposed).toEqual(
      expect.arrayContaining([
        ...[
          'x-ratelimit-limit',
          'x-ratelimit-remaining',
          'x-ratelimit-reset',
          'ratelimit',
          'ratelimit-policy',
        ],
        ...['link', 'location', 'etag', 'retry-after', 'x-request-id', 'deprecation', 'sunset'],
        ...['idempotent-replayed', 'www-authenticate', 'allow', 'accept-patch'],
      ]),
    );
  });

  it('is told what it may read of a 304 too', async () => {
    const { headers } = await from(SHOP);
    const again = await client.get('/v1/pets', { headers: { Origin: SHOP, 'If-None-Match': headers.etag } });
    expect(again.status).toBe(304);
    expect(again.headers['access-control-allow-origin']).toBe(SHOP);
    expect(again.headers.vary).toBe(VARY);
  });

  it('may read refusals: no key, no animal, too many requests', async () => {
    const free = await running.issueKey({ plan: 'free' });
    for (let n = 0; n < 60; n++) await from(SHOP, '/v1/pets?limit=1', free);
    const refusals = [
      ['invalid_api_key', await from(SHOP, '/v1/pets', 'unknown')],
      ['pet_not_found', await from(SHOP, '/v1/pets/999999')],
      ['rate_limit_exceeded', await from(SHOP, '/v1/pets', free)],
    ] as const;
    for (const [code, reply] of refusals) {
      expectError(reply, code);
      expectLimitHeaders(reply);
      expect(reply.headers['access-control-allow-origin']).toBe(SHOP);
      expect(words(reply.headers['access-control-expose-headers'])).toContain('retry-after');
    }
  });

  it.each(['/v1/pets', '/v1/pets/1', '/v1/events', '/v1/store/inventory', '/v1/usage'])(
    'is told before it calls %s what it may send',
    async (path) => {
      const reply = await preflight(path);
      expect(reply.status).toBe(204);
      expect(reply.text).toBe('');
      expect(reply.headers.allow).toContain('OPTIONS');
      expect(reply.headers['access-control-allow-origin']).toBe(SHOP);
      expect(words(reply.headers['access-control-allow-methods'])).toEqual([
        'delete',
        'get',
        'head',
        'patch',
        'post',
        'put',
      ]);
      expect(words(reply.headers['access-control-allow-headers'])).toEqual(
        expect.arrayContaining([
          ...['authorization', 'content-type', 'idempotency-key', 'if-none-match', 'if-match'],
        ]),
      );
      expect(reply.headers['access-control-max-age']).toBe('7200');
    },
  );

  it('asks on the account of its address', async () => {
    const [first, second] = [await preflight('/v1/pets'), await preflight('/v1/pets')];
    expectLimitHeaders(first);
    const left = ({ headers }: Reply): number => Number(headers['x-ratelimit-remaining']);
    expect(first.headers['x-ratelimit-limit']).toBe('100000');
    expect(left(second)).toBe(left(first) - 1);
  });
});

describe('an origin that is not named', () => {
  it.each([
    'https://evil.example.com',
    'null',
    'https://shop.example.com.evil.example',
    'http://shop.example.com',
  ])('may read nothing: %s', async (origin) => {
    for (const reply of [await from(origin), await preflight('/v1/pets', origin)]) {
      expect(reply.headers['access-control-allow-origin']).toBeUndefined();
      expect(reply.headers.vary).toBe(VARY);
    }
  });

  it('is nobody who sends none, and a response to whom no cache gives to others', async () => {
    const { status, headers } = await client.get('/v1/pets');
    expect(status).toBe(200);
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers.vary).toBe(VARY);
  });
});

describe('every response under /v1', () => {
  it.each([
    ['origins are named', {}],
    ['every origin may call', { CORS_ORIGINS: '*' }],
    ['no origin may call', { CORS_ORIGINS: undefined }],
  ])('has the same Vary, 204 and refusals too, when %s', async (_when, environment) => {
    const { origin } = await running.another(environment);
    const [own, anonymous] = [new Client(origin, await running.issueKey()), new Client(origin)];
    for (const headers of [{}, { Origin: SHOP }]) {
      const added = await own.post('/v1/pets', { name: 'Rex', categoryId: 7 }, { headers });
      const path = String(added.headers.location);
      const read = await own.get(path, { headers });
      const replies = [
        added,
        read,
        await own.get(path, { headers: { ...headers, 'If-None-Match': read.headers.etag } }),
        await own.send(path, { headers, method: 'HEAD' }),
        await own.patch(path, { name: 'Max' }, { headers }),
        await own.delete(path, { headers }),
        await own.delete(path, { headers }),
        await own.post('/v1/pets', '{', { headers }),
        await own.send('/v1/pets', { headers, method: 'PUT' }),
        await own.get('/v1/nothing', { headers }),
        await own.get(`/v1/pets?x=${'x'.repeat(9_000)}`, { headers }),
        await anonymous.get('/v1', { headers }),
        await anonymous.send('/v1/pets', { headers, method: 'OPTIONS' }),
      ];
      expect(replies.map(({ status, headers: { vary } }) => [status, vary])).toEqual(
        [201, 200, 304, 200, 200, 204, 404, 400, 405, 404, 414, 401, 204].map((status) => [status, VARY]),
      );
    }
    for (const each of [own, anonymous]) each.close();
  });
});

describe('without the setting', () => {
  it('no response says anything of other origins', async () => {
    const other = await runService();
    const own = await other.client();
    const replies = [
      await own.get('/v1/pets', { headers: { Origin: SHOP } }),
      await own.send('/v1/pets', { method: 'OPTIONS', headers: { Origin: SHOP } }),
    ];
    for (const { headers } of replies) {
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    await other.close();
  });
});
