import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiKeyAdministration, definePlans, KeyId, KeySigner, utcDay } from '@petstore/api-key';
import { ApiKeyTables, KeyUsageCounters } from '@petstore/persistence';
import { PETSTORE_PLANS } from '../../src/access/petstore-plans.js';
import { PETSTORE_SCOPES } from '../../src/access/petstore-scopes.js';
import type { Client, Reply } from '../support/client.js';
import { expectError, expectLimitHeaders } from '../support/contract.js';
import { serveShared } from '../support/running-service.js';
import { until } from '../support/until.js';

const { running } = await serveShared();
const anonymous = running.connect();

describe('a credential', () => {
  const send = (authorization: string): Promise<Reply> =>
    anonymous.get('/v1/pets', { headers: { Authorization: authorization } });

  it('may be called Bearer in any case', async () => {
    const key = await running.issueKey();
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR'])
      expect((await send(`${scheme} ${key}`)).status).toBe(200);
  });

  it.each([
    ...['', 'Bearer', 'Bearer ', 'Basic cGV0OnN0b3Jl', 'Token abc'].map((value) => [
      value,
      'missing_api_key',
    ]),
    ...[
      'Bearer x',
      'Bearer pet_test_00000000000000000000000000000000000000000000',
      'Bearer two words',
      'Bearer "quoted"',
      `Bearer ${'x'.repeat(5000)}`,
    ].map((value) => [value, 'invalid_api_key']),
  ] as [string, string][])('%.40j is refused as %s', async (value, code) => {
    const reply = await send(value);
    expectError(reply, code);
    const error = code === 'invalid_api_key' ? ', error="invalid_token"' : '';
    expect(reply.headers['www-authenticate']).toBe(`Bearer realm="petstore"${error}`);
    expectLimitHeaders(reply);
  });

  it('is refused when it is sent twice, even the same', async () => {
    const field = `Authorization: Bearer ${await running.issueKey()}\r\n`;
    const reply = await anonymous.raw(
      `GET /v1/pets HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${field}${field}\r\n`,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 401 [^]*"invalid_api_key"/);
  });

  it('does not count in the query or in another header', async () => {
    const key = await running.issueKey();
    for (const reply of [
      await anonymous.get(`/v1/pets?api_key=${key}&access_token=${key}`),
      await anonymous.get('/v1/pets', { headers: { 'X-API-Key': key } }),
      await anonymous.get('/v1/pets', { headers: { 'Proxy-Authorization': `Bearer ${key}` } }),
    ])
      expectError(reply, 'missing_api_key');
  });

  it('of the previous pepper is accepted for as long as that is configured', async () => {
    const statuses = async (changes: Record<string, string>, keys: readonly string[]): Promise<number[]> => {
      const client = running.connect(undefined, (await running.another(changes)).origin);
      const replies = await Promise.all(keys.map((key) => client.get('/v1/pets', { key })));
      return replies.map(({ status }) => status);
    };
    const pepper = 'the next pepper of the service';
    const { key, secret: old } = await running.administration.create({ name: 'shop', plan: 'free' }, 'tests');
    const next = new ApiKeyAdministration({
      repository: new ApiKeyTables(running.database),
      signer: new KeySigner(pepper),
      scopes: PETSTORE_SCOPES,
      plans: PETSTORE_PLANS,
      mode: 'test',
    });
    const { secret: fresh } = await next.rotate(key.id, 3_600_000, 'tests');
    const both = {
      API_KEY_PEPPER: pepper,
      API_KEY_PEPPER_PREVIOUS: running.environment['API_KEY_PEPPER'] ?? '',
    };
    expect(await statuses(both, [old, fresh])).toEqual([200, 200]);
    expect(await statuses({ API_KEY_PEPPER: pepper }, [old, fresh])).toEqual([401, 200]);
    expect(await statuses({}, [old, fresh])).toEqual([200, 401]);
  });

  it('on a plan that only another version of the service knows gets 503, and no other does', async () => {
    const other = new ApiKeyAdministration({
      repository: new ApiKeyTables(running.database),
      signer: new KeySigner(running.environment['API_KEY_PEPPER'] ?? ''),
      scopes: PETSTORE_SCOPES,
      plans: definePlans({ gold: { perMinute: 1, perDay: 1 } }),
      mode: 'test',
    });
    const { secret: key } = await other.create({ name: 'new', plan: 'gold' }, 'tests');
    const limitOfAddress = (await anonymous.get('/v1/pets')).headers['x-ratelimit-limit'];
    for (let i = 0; i < 3; i++) {
      const reply = await anonymous.get('/v1/pets', { key });
      expectError(reply, 'service_unavailable');
      expect(reply.headers).toMatchObject({ 'retry-after': '1', 'x-ratelimit-limit': limitOfAddress });
    }
    expect((await anonymous.get('/v1/pets', { key: await running.issueKey() })).status).toBe(200);
    expect(running.lines.filter((line) => line.includes('unknown plan'))).toHaveLength(1);
  });
});

describe('GET /v1/usage', () => {
  const PATH = '/v1/usage';
  const DAY_MS = 86_400_000;

  interface Usage {
    readonly keyId: string;
    readonly days: readonly { readonly date: string; readonly requests: number; readonly refused: number }[];
  }
  const usageIn = ({ text }: Reply): Usage => JSON.parse(text) as Usage;
  const idOf = async (client: Client): Promise<KeyId> => {
    const id = KeyId.parse(usageIn(await client.get(PATH)).keyId);
    if (id === undefined) throw new Error('The response has no id of a key.');
    return id;
  };
  /** Requests of all days: midnight may come between. */
  const total = (reply: Reply, what: 'requests' | 'refused'): number =>
    usageIn(reply).days.reduce((sum, day) => sum + day[what], 0);

  it('shows the key as its operator made it', async () => {
    const expiresAt = new Date(Date.now() + DAY_MS);
    const client = await running.client({ name: 'Shop "A"', plan: 'free', scopes: ['pets:read'], expiresAt });
    expect(JSON.parse((await client.get(PATH)).text)).toEqual({
      keyId: expect.stringMatching(/^key_[0-9A-Za-z]{16}$/),
      name: 'Shop "A"',
      plan: 'free',
      scopes: ['pets:read'],
      expiresAt: expiresAt.toISOString(),
      limits: { perMinute: 60, perDay: 1_000 },
      days: expect.any(Array),
    });
  });

  it('has the limits of an enterprise key, and no end where there is none', async () => {
    const limits = { perMinute: 7, perDay: 999_999_999 };
    const client = await running.client({ plan: 'enterprise', limits });
    const usage = usageIn(await client.get(PATH));
    expect(usage).toMatchObject({ plan: 'enterprise', limits });
    expect(usage).not.toHaveProperty('expiresAt');
  });

  it.each([...PETSTORE_SCOPES.all])('needs no scope but any, such as %s', async (scope) => {
    const client = await running.client({ scopes: [scope] });
    expect(usageIn(await client.get(PATH))).toMatchObject({ scopes: [scope] });
  });

  it('counts every request with the key, errors and refusals too, seconds later', async () => {
    const client = await running.client({ plan: 'free' });
    const keyId = await idOf(client);
    const paths = ['/v1/pets', '/v1/pets/abc', '/v1/unknown', '/v1/pets?limit=0'];
    for (let n = 1; n < 60; n++) await client.get(paths[n % paths.length] ?? '');
    expectError(await client.get('/v1/pets'), 'rate_limit_exceeded');
    expectError(await client.get(PATH), 'rate_limit_exceeded');
    // A larger plan, so that there is something left to ask with.
    await running.administration.update(keyId, { plan: 'business', name: 'Renamed' }, 'tests');
    await until(async () => {
      // Too few requests to be banned before the instance has heard of it, which may take 10 s.
      await sleep(200);
      const reply = await client.get(PATH);
      return reply.status === 200 && total(reply, 'requests') >= 62;
    });
    const reply = await client.get(PATH);
    expect(total(reply, 'refused')).toBeGreaterThanOrEqual(2);
    expect(usageIn(reply)).toMatchObject({ name: 'Renamed', plan: 'business', limits: { perMinute: 1_000 } });
  });

  it('has what another instance had counted when it ended', async () => {
    const secret = await running.issueKey();
    const other = await running.another();
    const client = running.connect(secret, other.origin);
    for (let n = 0; n < 5; n++) expect((await client.get('/v1/pets')).status).toBe(200);
    client.close();
    await other.close();
    expect(total(await anonymous.get(PATH, { key: secret }), 'requests')).toBe(5);
  });

  it('lists 30 days at most, newest first, of this key only', async () => {
    const [client, another] = [await running.client(), await running.client()];
    const today = Date.now();
    const day = (ago: number): string => utcDay(new Date(today - ago * DAY_MS));
    const unused = 3;
    const rowsOf = (keyId: KeyId, base: number): Parameters<KeyUsageCounters['add']>[0] =>
      Array.from({ length: 45 }, (_, ago) => ({
        ...{ keyId, day: day(ago), requests: base + ago, refused: ago },
        ...{ lastUsedAt: undefined, bannedUntil: undefined },
      })).filter((_, ago) => ago !== unused);
    await new KeyUsageCounters(running.database).add([
      ...rowsOf(await idOf(client), 1_000),
      ...rowsOf(await idOf(another), 2_000),
    ]);
    const { days } = usageIn(await client.get(PATH));
    const dates = days.map(({ date }) => date);
    expect(dates).toEqual([...dates].sort().reverse());
    expect(days).toContainEqual({ date: day(5), requests: 1_005, refused: 5 });
    // Midnight may pass meanwhile.
    expect(dates).toContain(day(28));
    for (const ago of [unused, 30, 44]) expect(dates).not.toContain(day(ago));
  });
});
