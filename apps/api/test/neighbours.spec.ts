import { PostgresApiKeyRepository } from '@petstore/persistence';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiKeyAdministration, type NewKey, KeySigner } from '@petstore/api-key';
import { PETSTORE_SCOPES } from '../src/access/petstore-scopes.js';
import { readConfiguration } from '../src/configuration/configuration.js';
import { Client as PgClient } from 'pg';
import { startService } from '../src/startup/start-service.js';
import type { Service } from '../src/startup/service.interface.js';
import { Client, type Reply } from './client.js';
import { expectError, expectLimitHeaders } from './contract.js';
import { runService, type RunningService } from './running-service.js';
import { WatchedLog } from './watched-log.js';
import { madeUpKey } from './made-up-key.js';

/** What an address may send without an accepted key in a minute. */
const ALLOWED = 5;

let running: RunningService;
let anonymous: Client;
/** As the operators' tool with another REDIS_URL: no event of what it does reaches the service. */
let silent: ApiKeyAdministration;

beforeAll(async () => {
  running = await runService({ ANONYMOUS_PER_MINUTE: String(ALLOWED) });
  anonymous = new Client(running.service.origin);
  silent = new ApiKeyAdministration({
    repository: new PostgresApiKeyRepository(running.database),
    signer: new KeySigner(running.environment['API_KEY_PEPPER'] ?? ''),
    scopes: PETSTORE_SCOPES,
    kind: 'test',
  });
  await exhaust();
});
afterAll(async () => {
  anonymous.close();
  await running.close();
});

const others: { close: () => void | Promise<void> }[] = [];
afterEach(async () => {
  for (const other of others.splice(0).reverse()) await other.close();
});

async function exhaust(client = anonymous): Promise<void> {
  for (let i = 0; i < ALLOWED; i++) await client.get('/v1/pets');
  expectError(await client.get('/v1/pets'), 'rate_limit_exceeded');
}

async function another(): Promise<Client> {
  const service = await running.another();
  const client = new Client(service.origin);
  others.push(client);
  return client;
}

const issueSilently = async (key: Partial<NewKey> = {}): Promise<string> =>
  (await silent.create({ name: 'shop', plan: 'pro', ...key }, 'tests')).secret;

const ask = (client: Client, key: string): Promise<Reply> => client.get('/v1/pets?limit=1', { key });

function expectServed(reply: Reply, remaining: number): void {
  expect(reply.status).toBe(200);
  expectLimitHeaders(reply);
  expect(reply.headers).toMatchObject({
    'x-ratelimit-limit': '300',
    'x-ratelimit-remaining': String(remaining),
  });
  expect(reply.headers['retry-after']).toBeUndefined();
}

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
    const key = await issueSilently();
    expectServed(await ask(await another(), key), 299);
    expectServed(await ask(await another(), key), 298);
    expectServed(await ask(anonymous, key), 297);
  });

  it('is served while others there send made-up keys without a pause', async () => {
    let flooding = true;
    let refused = 0;
    const flood = Array.from({ length: 50 }, async () => {
      while (flooding) {
        const { status } = await ask(anonymous, madeUpKey());
        expect([401, 429]).toContain(status);
        refused++;
      }
    });
    for (let i = 0; i < 10; i++) expectServed(await ask(anonymous, await issueSilently()), 299);
    flooding = false;
    await Promise.all(flood);
    expect(refused).toBeGreaterThan(50);
  });

  it('is refused as soon as it is revoked, and charges the address then', async () => {
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

  it('take no places from others while they wait', async () => {
    const small = await startSmall();
    const key = await issueSilently({ plan: 'business' });
    const client = new Client(small.origin);
    others.push(client);
    expect((await ask(client, key)).status).toBe(200);
    let flooding = true;
    const flood = Array.from({ length: 100 }, async () => {
      while (flooding) await ask(client, madeUpKey());
    });
    const statuses = new Set<number>();
    for (let i = 0; i < 30; i++) {
      statuses.add((await ask(client, key)).status);
      await sleep(20);
    }
    flooding = false;
    await Promise.all(flood);
    expect([...statuses]).toEqual([200]);
  });
});

/** An instance that works on few requests at a time. */
async function startSmall(): Promise<Service> {
  const configuration = readConfiguration({ ...running.environment, MAX_CONCURRENT_REQUESTS: '40' });
  const service = await startService(configuration, new WatchedLog().log);
  others.push(service);
  return service;
}

describe('on a service without other clients', () => {
  let own: RunningService;
  let client: Client;
  beforeAll(async () => {
    own = await runService({ ANONYMOUS_PER_MINUTE: String(ALLOWED) });
    client = new Client(own.service.origin);
  });
  afterAll(async () => {
    client.close();
    await own.close();
  });

  it('a thousand made-up keys cost the database nothing', async () => {
    const before = await scans(own.postgres.url);
    await Promise.all(
      Array.from({ length: 100 }, async () => {
        for (let i = 0; i < 10; i++) expect([401, 429]).toContain((await ask(client, madeUpKey())).status);
      }),
    );
    const after = await scans(own.postgres.url);
    expect(after).toEqual(before);
  });

  it('and whose database is unavailable: a cached key is accepted, another is 503 until it is back', async () => {
    const [remembered, known] = [await own.issueKey({ plan: 'pro' }), await own.issueKey({ plan: 'pro' })];
    await exhaust(client);
    expect((await ask(client, remembered)).status).toBe(200);
    await own.postgres.kill();
    expectError(await client.get('/v1/pets/none', { key: remembered }), 'pet_not_found');
    const refused = await ask(client, known);
    expectError(refused, 'service_unavailable');
    expectLimitHeaders(refused);
    expect(refused.headers['retry-after']).toBe('1');
    // Whether a key was made up needs no database.
    expectError(await ask(client, madeUpKey()), 'rate_limit_exceeded');
    await own.postgres.start();
    const end = Date.now() + 10_000;
    let reply = await ask(client, known);
    while (reply.status === 503 && Date.now() < end) reply = await ask(client, known);
    expectServed(reply, 299);
    expectServed(await ask(client, await own.issueKey({ plan: 'pro' })), 299);
    expectError(await ask(client, madeUpKey()), 'rate_limit_exceeded');
  });
});

/** How often the tables of keys have been searched so far. */
async function scans(url: string): Promise<{ keys: number; hashes: number }> {
  // Sessions report what they have done within a second of their last query.
  await sleep(1_100);
  const session = new PgClient(url);
  await session.connect();
  const { rows } = await session.query<{ table: string; scans: number }>(
    `select relname as table, (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::int as scans
     from pg_stat_user_tables where relname in ('api_keys', 'api_key_secrets')`,
  );
  await session.end();
  const of = (table: string): number => rows.find((row) => row.table === table)?.scans ?? 0;
  return { keys: of('api_keys'), hashes: of('api_key_secrets') };
}
