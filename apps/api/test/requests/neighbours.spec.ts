import { ApiKeyTables } from '@petstore/persistence';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ApiKeyAdministration, type NewKey, KeySigner } from '@petstore/api-key';
import { PETSTORE_PLANS } from '../../src/access/petstore-plans.js';
import { PETSTORE_SCOPES } from '../../src/access/petstore-scopes.js';
import { Client as PgClient } from 'pg';
import type { Client, Reply } from '../support/client.js';
import { expectError, expectLimitHeaders } from '../support/contract.js';
import { serve } from '../support/running-service.js';
import { until } from '../support/until.js';
import { madeUpKey } from '../support/made-up-key.js';
import { whileShared } from '../support/while-shared.js';

/** What an address may send without an accepted key in a minute, and in a day: it stays refused, however long this takes. */
const ALLOWED = 5;

const { running } = await serve({
  ANONYMOUS_PER_MINUTE: String(ALLOWED),
  ANONYMOUS_PER_DAY: String(ALLOWED),
});
const anonymous = running.connect();
/** As the operators' tool with another REDIS_URL: no event of what it does reaches the service. */
const silent = new ApiKeyAdministration({
  repository: new ApiKeyTables(running.database),
  signer: new KeySigner(running.environment['API_KEY_PEPPER'] ?? ''),
  scopes: PETSTORE_SCOPES,
  plans: PETSTORE_PLANS,
  mode: 'test',
});

beforeAll(async () => {
  for (let i = 0; i < ALLOWED; i++) await anonymous.get('/v1/pets');
  expectError(await anonymous.get('/v1/pets'), 'rate_limit_exceeded');
});

/** A client of another instance. */
const another = async (): Promise<Client> => running.connect(undefined, (await running.another()).origin);

const issueSilently = async (key: Partial<NewKey> = {}): Promise<string> =>
  (await silent.create({ name: 'shop', plan: 'pro', ...key }, 'tests')).secret;

const ask = (client: Client, key: string): Promise<Reply> => client.get('/v1/pets?limit=1', { key });

/** Sends made-up keys over so many connections until the work is done; the statuses of the responses. */
async function whileFlooded(
  client: Client,
  connections: number,
  work: () => Promise<void>,
): Promise<ReadonlySet<number>> {
  const statuses = new Set<number>();
  let isOver = false;
  const flood = Array.from({ length: connections }, async () => {
    while (!isOver) statuses.add((await ask(client, madeUpKey())).status);
  });
  try {
    await work();
  } finally {
    isOver = true;
    await Promise.all(flood);
  }
  return statuses;
}

function expectServed(reply: Reply, remaining: number): void {
  expect(reply.status).toBe(200);
  expectLimitHeaders(reply);
  expect(reply.headers).toMatchObject({
    'x-ratelimit-limit': '300',
    'x-ratelimit-remaining': String(remaining),
  });
  expect(reply.headers['retry-after']).toBeUndefined();
}

describe('hundreds of made-up keys', () => {
  it('cost the database nothing', async () => {
    const session = new PgClient(running.postgres.url);
    await session.connect();
    // Whoever looks for a key waits from here on, and is 503 in the end.
    await session.query('begin; lock table api_keys, api_key_secrets in access exclusive mode');
    await Promise.all(
      Array.from({ length: 100 }, async () => {
        for (let i = 0; i < 4; i++) expect([401, 429]).toContain((await ask(anonymous, madeUpKey())).status);
      }),
    );
    await session.end();
  });
});

describe('at an address that has used up its requests without a key, a valid key', () => {
  it('is served on its first use, with its own headers', async () => {
    const key = await running.issueKey({ plan: 'pro' });
    expectServed(await ask(anonymous, key), 299);
    expectServed(await ask(anonymous, key), 298);
    expectError(await anonymous.get('/v1/pets'), 'rate_limit_exceeded');
  });

  it('is served when it was issued a moment ago and no event of it arrived', async () => {
    for (let i = 0; i < 3; i++) expectServed(await ask(anonymous, await issueSilently()), 299);
  });

  it('is served on its first use after a restart, and by every instance', async () => {
    await whileShared(running, async () => {
      const key = await issueSilently();
      expectServed(await ask(await another(), key), 299);
      expectServed(await ask(await another(), key), 298);
      expectServed(await ask(anonymous, key), 297);
    });
  });

  it('is served while others there send made-up keys without a pause', async () => {
    const keys: string[] = [];
    while (keys.length < 10) keys.push(await issueSilently());
    const statuses = await whileFlooded(anonymous, 20, async () => {
      for (const key of keys) expectServed(await ask(anonymous, key), 299);
    });
    expect(statuses).toEqual(new Set([429]));
  });

  it('is refused as soon as it is revoked, and consumes from the address then', async () => {
    const { key, secret } = await silent.create({ name: 'shop', plan: 'pro' }, 'tests');
    await silent.revoke(key.id, 'tests');
    expectError(await ask(anonymous, secret), 'rate_limit_exceeded');
  });
});

describe('made-up keys', () => {
  it('get the headers of the address, and are 429 beyond its limit', async () => {
    const reply = await ask(anonymous, madeUpKey());
    expectError(reply, 'rate_limit_exceeded');
    expect(reply.headers['x-ratelimit-limit']).toBe(String(ALLOWED));
  });
});

describe('while the database is unavailable', () => {
  it('a cached key is accepted, a made-up one refused, and another is 503 until it is back', async () => {
    const [remembered, known] = [await issueSilently(), await issueSilently()];
    expectServed(await ask(anonymous, remembered), 299);
    await running.postgres.kill();
    expectError(await anonymous.get('/v1/pets/none', { key: remembered }), 'pet_not_found');
    const refused = await ask(anonymous, known);
    expectError(refused, 'service_unavailable');
    expectLimitHeaders(refused);
    expect(refused.headers['retry-after']).toBe('1');
    // Whether a key was made up needs no database.
    expectError(await ask(anonymous, madeUpKey()), 'rate_limit_exceeded');
    await running.postgres.start();
    let reply = refused;
    await until(async () => (reply = await ask(anonymous, known)).status !== 503);
    expectServed(reply, 299);
  });
});
