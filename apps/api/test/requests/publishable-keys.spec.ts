import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client, Reply } from '../support/client.js';
import { expectError, expectLimitHeaders } from '../support/contract.js';
import { until } from '../support/until.js';
import { serve } from '../support/running-service.js';

const SITE = 'https://shelter.example';
const PARTNER = 'https://partner.example';

const { running, client: staff } = await serve({ CORS_ORIGINS: PARTNER });
const keyless = running.connect();
const key = await issue();

beforeAll(async () => {
  await staff.post('/v1/categories/1', { name: 'Dogs' }, { method: 'PUT' });
  await staff.post('/v1/pets', { name: 'Rex', categoryId: 1 });
});

async function issue(origins: readonly string[] = [SITE, 'https://*.shelter.example']): Promise<string> {
  const settings = { name: 'pages', plan: 'pro', origins } as const;
  return (await running.administration.create(settings, 'tests')).secret;
}

const from = (origin: string | undefined, path = '/v1/pets', own = key): Promise<Reply> =>
  keyless.get(path, { key: own, headers: origin === undefined ? {} : { Origin: origin } });

const fieldsOf = ({ headers }: Reply): unknown =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control')));

const left = ({ headers }: Reply): number => Number(headers['x-ratelimit-remaining']);

/** That of the address is 100,000. */
const limitOf = ({ headers }: Reply): number => Number(headers['x-ratelimit-limit']);

describe('a publishable key', () => {
  it('looks like one, reads from pages of its sites, and is kept with them', async () => {
    expect(key).toMatch(/^pet_pub_test_[0-9A-Za-z]{44}$/);
    for (const origin of [SITE, 'https://www.shelter.example']) {
      const reply = await from(origin);
      expect(reply.status).toBe(200);
      expect(limitOf(reply)).toBe(300);
      expect(reply.headers['access-control-allow-origin']).toBe(origin);
      expect(reply.headers['access-control-expose-headers']).toContain('X-Request-Id');
    }
  });

  it.each([
    // Which origins are those of a key: libs/api-key/src/key/key-origins.spec.ts.
    ...[undefined, '', 'null', `${SITE}.evil.example`, PARTNER],
  ])('from %s is refused, uses nothing of its plan, and counts for the address', async (origin) => {
    const before = await from(SITE);
    const reply = await from(origin);
    expectError(reply, 'origin_not_allowed');
    expectLimitHeaders(reply);
    expect(limitOf(reply)).toBe(100_000);
    expect(reply.headers).not.toHaveProperty('www-authenticate');
    expect(left(await from(origin))).toBe(left(reply) - 1);
    expect(left(await from(SITE))).toBe(left(before) - 1);
    // A page reads why.
    expect(reply.headers['access-control-allow-origin']).toBe(origin === '' ? undefined : origin);
  });

  it('with two origins is refused, even if both are its own', async () => {
    const reply = await keyless.raw(
      `GET /v1/pets HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n` +
        `Origin: ${SITE}\r\nOrigin: ${SITE}\r\n\r\n`,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 403 [^]*"origin_not_allowed"/);
  });

  it('is not helped by a Referer', async () => {
    expectError(
      await keyless.get('/v1/pets', { key, headers: { Referer: `${SITE}/` } }),
      'origin_not_allowed',
    );
  });

  it.each([
    ['GET', '/v1/usage'],
    ['POST', '/v1/pets'],
    ['DELETE', '/v1/pets/1'],
    ['GET', '/v1/store/orders'],
    ['GET', '/v1/webhooks'],
    ['PUT', '/v1/categories/1'],
  ])('may not %s %s, after its limit', async (method, path) => {
    const before = await from(SITE);
    const reply = await keyless.send(path, { method, key, headers: { Origin: SITE } });
    expectError(reply, 'insufficient_scope');
    expect(left(reply)).toBe(left(before) - 1);
    expect(reply.headers['access-control-allow-origin']).toBe(SITE);
  });

  it.each(['/v1/pets?limit=1', '/v1/pets/1', '/v1/categories', '/v1/store/inventory', '/v1/events'])(
    'reads %s',
    async (path) => {
      expect((await from(SITE, path)).status).toBe(200);
    },
  );

  it('changes its sites everywhere at once, keeps its kind when rotated, and ends when revoked', async () => {
    const { key: made, secret } = await running.administration.create(
      { name: 'pages', plan: 'pro', origins: [SITE] },
      'tests',
    );
    expect((await from(SITE, '/v1/pets', secret)).status).toBe(200);
    await running.administration.update(made.id, { origins: [PARTNER] }, 'tests');
    await until(async () => (await from(SITE, '/v1/pets', secret)).status === 403);
    const rotated = await running.administration.rotate(made.id, 0, 'tests');
    expect(rotated.secret).toMatch(/^pet_pub_test_/);
    expect((await from(PARTNER, '/v1/pets', rotated.secret)).status).toBe(200);
    await running.administration.revoke(made.id, 'tests');
  });

  it('that is stored as one of the other kind is refused', async () => {
    const secret = await issue();
    const ofSecret = await running.issueKey();
    const update = (origins: string, last: string): Promise<unknown> =>
      running.database.dataSource.query(
        'update api_keys set origins = $1 where id = (select key_id from api_key_secrets where last_four = $2 limit 1)',
        [origins, last],
      );
    await update('{}', secret.slice(-4));
    await update(`{${SITE}}`, ofSecret.slice(-4));
    for (const own of [secret, ofSecret]) expectError(await from(SITE, '/v1/pets', own), 'invalid_api_key');
  });
});

describe('a visitor of a page', () => {
  const PLAN = 300;
  const visit = (client: Client, own: string): Promise<Reply> =>
    client.get('/v1/pets?limit=1', { key: own, headers: { Origin: SITE } });

  it('has a share of the key, on all instances together, and takes nothing from others beyond it', async () => {
    const own = await issue();
    const { origin } = await running.another();
    const elsewhere = running.connect(undefined, origin);
    const [here, there, other] = [
      keyless.at('127.0.5.1'),
      elsewhere.at('127.0.5.1'),
      elsewhere.at('127.0.5.2'),
    ];
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, at) => visit(at % 2 === 0 ? here : there, own)),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 60 }, () => 200));
    // The fields of what is admitted are the key's.
    expect(new Set(replies.map(limitOf))).toEqual(new Set([PLAN]));
    for (const client of [here, there]) {
      const refused = await visit(client, own);
      expectError(refused, 'rate_limit_exceeded');
      expectLimitHeaders(refused);
      expect([limitOf(refused), left(refused)]).toEqual([60, 0]);
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
      expect(refused.headers['ratelimit-policy']).toBe('"minute";q=60;w=60, "day";q=1000;w=86400');
      expect(refused.headers['access-control-allow-origin']).toBe(SITE);
    }
    expect(left(await visit(other, own))).toBe(PLAN - 61);
  });

  it('is an IPv6 /56, of which a home has every address', async () => {
    const own = await issue();
    const { origin } = await running.another({ TRUSTED_PROXIES: '127.0.0.0/8' });
    const proxy = running.connect(undefined, origin);
    const visitFrom = (address: string): Promise<Reply> =>
      proxy.get('/v1/pets?limit=1', { key: own, headers: { Origin: SITE, 'X-Forwarded-For': address } });
    for (let n = 0; n < 60; n++)
      expect((await visitFrom(`2001:db8:1:2${n.toString(16).padStart(2, '0')}::1`)).status).toBe(200);
    for (const address of ['2001:db8:1:2ff:1:2:3:4', '2001:db8:1:200::'])
      expectError(await visitFrom(address), 'rate_limit_exceeded');
    for (const address of ['2001:db8:1:300::1', '2001:db8:1:1ff::1', '2001:db8::200:0:0:0:1'])
      expect([address, (await visitFrom(address)).status]).toEqual([address, 200]);
  });

  it('never has the key banned, and has no more than its plan', async () => {
    const { secret } = await running.administration.create(
      {
        ...{ name: 'pages', plan: 'enterprise', origins: [SITE] },
        limits: { perMinute: 20, perDay: 1_000 },
      },
      'tests',
    );
    const greedy = keyless.at('127.0.5.3');
    const statuses: number[] = [];
    for (let n = 0; n < 200; n++) statuses.push((await visit(greedy, secret)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    const last = await visit(greedy, secret);
    expectError(last, 'rate_limit_exceeded');
    expect(limitOf(last)).toBe(20);
    // The key is used up, not banned.
    expectError(await visit(keyless.at('127.0.5.4'), secret), 'rate_limit_exceeded');
  });
});

describe('a page of any origin', () => {
  const preflight = (path: string, origin: string): Promise<Reply> =>
    keyless.send(path, {
      method: 'OPTIONS',
      headers: { Origin: origin, 'Access-Control-Request-Method': 'GET' },
    });

  it.each(['https://anybody.example', 'null', SITE])(
    '(%s) may ask to read, and nothing else',
    async (origin) => {
      const reply = await preflight('/v1/pets/1', origin);
      expect(reply.status).toBe(204);
      expect(fieldsOf(reply)).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, HEAD',
        'access-control-max-age': '7200',
      });
      const names = String(reply.headers['access-control-allow-headers']).split(',');
      expect(names).toEqual(
        expect.arrayContaining(['Authorization', 'If-None-Match', 'X-Request-Id', 'traceparent']),
      );
      for (const name of ['Content-Type', 'Idempotency-Key']) expect(names).not.toContain(name);
    },
  );

  it('that the operator lists may ask for everything', async () => {
    const { headers } = await preflight('/v1/pets', PARTNER);
    expect(headers['access-control-allow-methods']).toContain('POST');
    expect(headers['access-control-allow-headers']).toContain('Idempotency-Key');
  });

  it.each(['/v1/unknown', '/docs', '/nowhere', '/mcp', '/livez'])('may not ask for %s', async (path) => {
    const reply = await preflight(path, SITE);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect(fieldsOf(reply)).not.toHaveProperty('access-control-allow-origin');
  });

  it('may ask when its address has used up what it may send without a key', async () => {
    const { origin } = await running.another({
      ANONYMOUS_PER_MINUTE: '2',
      DOCS_PER_MINUTE: '2',
      REDIS_URL: undefined,
    });
    const other = running.connect(undefined, origin);
    const ask = async (path: string, headers: Readonly<Record<string, string>>): Promise<Reply> =>
      other.send(path, { method: 'OPTIONS', headers });
    const asking = { Origin: SITE, 'Access-Control-Request-Method': 'GET' };
    const paths = ['/v1/pets', '/v1/unknown', '/v1', '/mcp', '/docs', '/openapi.json', '/nowhere', '/livez'];
    for (let n = 0; n < 5; n++)
      for (const path of paths) {
        const { status, headers } = await ask(path, asking);
        expect([path, status]).toEqual([path, 204]);
        expect(headers).not.toHaveProperty('x-ratelimit-limit');
      }
    // What lacks one of the two fields is no preflight.
    const [named, asked] = [{ Origin: SITE }, { 'Access-Control-Request-Method': 'GET' }];
    for (const [headers, status] of [
      [named, 204],
      [asked, 204],
      [named, 429],
      [asked, 429],
      [asking, 204],
    ] as const)
      expect([headers, (await ask('/v1/pets', headers)).status]).toEqual([headers, status]);
    // Refused for its form, like any request.
    expectError(await ask(`/v1/pets?x=${'x'.repeat(9_000)}`, asking), 'uri_too_long');
  });

  it('reads why a key of this form is refused, mistyped or not, and nothing with a secret key', async () => {
    for (const text of [`${key.slice(0, -1)}~`, 'PET_PUB_live_x', 'pet_pub_'])
      expect((await from(SITE, '/v1/pets', text)).headers).toMatchObject({
        'access-control-allow-origin': SITE,
      });
    expect(fieldsOf(await from(SITE, '/v1/pets', await running.issueKey()))).not.toHaveProperty(
      'access-control-allow-origin',
    );
  });

  it('gets no request id that looks like a key', async () => {
    for (const id of [`x-${key}`.slice(0, 60), 'PET_PUB_mistyped']) {
      const reply = await keyless.get('/v1/pets', { headers: { 'X-Request-Id': id } });
      expect(reply.headers['x-request-id']).not.toBe(id);
    }
  });
});
