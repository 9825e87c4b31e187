import { PostgresKeyUsageStore } from '@petstore/persistence';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KeyId, utcDay } from '@petstore/api-key';
import { PETSTORE_SCOPES } from '../src/access/petstore-scopes.js';
import type { Client, Reply } from './client.js';
import { expectError, expectLimitHeaders } from './contract.js';
import { runService, type RunningService } from './running-service.js';
import { until } from './until.js';

const PATH = '/v1/usage';
const DAY_MS = 86_400_000;

interface Usage {
  readonly keyId: string;
  readonly days: readonly { readonly date: string; readonly requests: number; readonly refused: number }[];
}

let running: RunningService;

beforeAll(async () => {
  running = await runService();
});
afterAll(() => running.close());

const usageIn = ({ text }: Reply): Usage => JSON.parse(text) as Usage;

const idOf = async (client: Client): Promise<KeyId> => {
  const id = KeyId.parse(usageIn(await client.get(PATH)).keyId);
  if (id === undefined) throw new Error('The response has no id of a key.');
  return id;
};

/** Requests of all days: midnight may come between. */
const totalOf = ({ days }: Usage): { requests: number; refused: number } => ({
  requests: days.reduce((sum, { requests }) => sum + requests, 0),
  refused: days.reduce((sum, { refused }) => sum + refused, 0),
});

describe('GET /v1/usage', () => {
  it('shows the key as its operator made it', async () => {
    const expiresAt = new Date(Date.now() + DAY_MS);
    const client = await running.client({ name: 'Shop "A"', plan: 'free', scopes: ['pets:read'], expiresAt });
    const reply = await client.get(PATH);
    expect(JSON.parse(reply.text)).toEqual({
      keyId: expect.stringMatching(/^key_[0-9A-Za-z]{16}$/),
      name: 'Shop "A"',
      plan: 'free',
      scopes: ['pets:read'],
      expiresAt: expiresAt.toISOString(),
      limits: { perMinute: 60, perDay: 1_000 },
      days: expect.any(Array),
    });
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'private, no-cache',
      vary: 'Origin, Authorization',
    });
  });

  it('has the limits of an enterprise key, and no end where there is none', async () => {
    const client = await running.client({
      plan: 'enterprise',
      limits: { perMinute: 7, perDay: 999_999_999 },
    });
    const usage = JSON.parse((await client.get(PATH)).text) as Record<string, unknown>;
    expect(usage).toMatchObject({ plan: 'enterprise', limits: { perMinute: 7, perDay: 999_999_999 } });
    expect(usage).not.toHaveProperty('expiresAt');
  });

  it('needs no scope', async () => {
    for (const scope of PETSTORE_SCOPES.all) {
      const client = await running.client({ scopes: [scope] });
      expect(JSON.parse((await client.get(PATH)).text)).toMatchObject({ scopes: [scope] });
    }
  });

  it('is charged, and tells in its header fields what is left', async () => {
    const client = await running.client({ plan: 'free' });
    for (const remaining of [59, 58]) {
      const reply = await client.get(PATH);
      expectLimitHeaders(reply);
      expect(reply.headers['x-ratelimit-remaining']).toBe(String(remaining));
    }
  });

  it('counts every request with the key, errors and refusals too, seconds later', async () => {
    const client = await running.client({ plan: 'free' });
    const keyId = await idOf(client);
    const paths = ['/v1/pets', '/v1/pets/abc', '/v1/unknown', '/v1/pets?limit=0'];
    for (let n = 1; n < 60; n++) await client.get(paths[n % paths.length] ?? '');
    expectError(await client.get('/v1/pets'), 'rate_limit_exceeded');
    expectError(await client.get(PATH), 'rate_limit_exceeded');
    // A larger plan, so that there is something left to ask with.
    await running.administration.update(keyId, { plan: 'business' }, 'tests');
    await until(async () => {
      const reply = await client.get(PATH);
      return reply.status === 200 && totalOf(usageIn(reply)).requests >= 62;
    });
    expect(totalOf(usageIn(await client.get(PATH))).refused).toBeGreaterThanOrEqual(2);
  });

  it('has what another instance had counted when it ended', async () => {
    const secret = await running.issueKey();
    const other = await running.another();
    for (let n = 0; n < 5; n++) {
      const reply = await fetch(`${other.origin}/v1/pets`, {
        headers: { Authorization: `Bearer ${secret}` },
      });
      expect(reply.status).toBe(200);
    }
    await other.close();
    const client = (await running.client()).with(secret);
    expect(totalOf(usageIn(await client.get(PATH))).requests).toBe(5);
    client.close();
  });

  it('lists 30 days at most, newest first, of this key only', async () => {
    const [client, another] = [await running.client(), await running.client()];
    const today = Date.now();
    const day = (ago: number): string => utcDay(new Date(today - ago * DAY_MS));
    const unused = day(3);
    const ids = [await idOf(client), await idOf(another)];
    await new PostgresKeyUsageStore(running.database).add(
      ids.flatMap((keyId, which) =>
        Array.from({ length: 45 }, (_, ago) => ago)
          .filter((ago) => day(ago) !== unused)
          .map((ago) => ({
            keyId,
            day: day(ago),
            requests: (which + 1) * 1_000 + ago,
            refused: ago,
            lastUsedAt: undefined,
            bannedUntil: undefined,
          })),
      ),
    );
    const { days } = usageIn(await client.get(PATH));
    const dates = days.map(({ date }) => date);
    expect(dates).toEqual([...dates].sort().reverse());
    expect(days).toContainEqual({ date: day(5), requests: 1_005, refused: 5 });
    // Midnight may pass meanwhile.
    expect(dates).toContain(day(28));
    for (const date of [unused, day(30), day(44)]) expect(dates).not.toContain(date);
  });

  it('answers HEAD without a body, and 304 to who has it', async () => {
    const client = await running.client();
    const reply = await client.get(PATH);
    expect(await client.send(PATH, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    const again = await client.get(PATH, { headers: { 'If-None-Match': reply.headers.etag } });
    expect([200, 304]).toContain(again.status);
    expect(again.text === '').toBe(again.status === 304);
  });

  it('follows a change of the key', async () => {
    const client = await running.client({ plan: 'free' });
    await running.administration.update(await idOf(client), { plan: 'business', name: 'Renamed' }, 'tests');
    await until(async () => {
      const { text } = await client.get(PATH);
      return text.includes('"name":"Renamed","plan":"business"') && text.includes('"perMinute":1000');
    });
  });
});
