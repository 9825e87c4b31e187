import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ApiKeyAdministration,
  ApiKeyCache,
  type ApiKeyEvent,
  type ApiKeyEventBus,
  type Caller,
  KeyId,
  KeySigner,
  RedisApiKeyEventBus,
} from '@petstore/api-key';
import { startRedis, type TestRedis } from '@petstore/test-servers';
import { waitFor } from '@petstore/testing';
import { PostgresApiKeyEventBus } from '../src/api-keys/postgres-api-key-event-bus.js';
import { SCOPES } from '../src/testing/scopes.js';
import type { Stores } from './stores.js';
import { TestDatabase } from './test-database.js';

const BY = 'anna';
const signer = new KeySigner('pepper of the tests');
const SHOP = { name: 'shop', plan: 'pro' } as const;

/** The stores of `db` are those of the operators. */
const db = new TestDatabase();
let redis: TestRedis;
let service: Stores;
beforeAll(async () => {
  redis = await startRedis();
  service = await db.open();
});
afterAll(() => redis.stop());

/** What the guard does with a key. */
async function look(cache: ApiKeyCache, key: string): Promise<Caller | undefined> {
  const cached = cache.get(key);
  if (cached !== undefined) return cached === 'refused' ? undefined : cached;
  const hash = signer.verify(key);
  return hash && cache.load(key, hash);
}

describe.each<[string, () => ApiKeyEventBus]>([
  ['Redis', () => new RedisApiKeyEventBus([redis.url])],
  ['PostgreSQL', () => new PostgresApiKeyEventBus(service.database)],
])('where %s carries the events', (_, makeBus) => {
  let buses: ApiKeyEventBus[];
  let administration: ApiKeyAdministration;
  let caches: ApiKeyCache[];

  beforeEach(async () => {
    buses = [makeBus(), makeBus(), makeBus()];
    const [bus, ...ofCaches] = buses;
    administration = new ApiKeyAdministration({
      repository: db.stores.apiKeys,
      signer,
      scopes: SCOPES,
      kind: 'test',
      events: bus,
    });
    caches = await Promise.all(
      ofCaches.map(async (own) => {
        // What it remembers never grows old here: only events change it.
        const at = Date.now();
        const cache = new ApiKeyCache(service.keyLookup, { now: () => at, elapsed: () => 0 });
        await own.subscribe(cache.invalidate);
        return cache;
      }),
    );
  });
  afterEach(() => Promise.all(buses.map((bus) => bus.close())));

  const everywhere = async (key: string): Promise<(Caller | undefined)[]> =>
    Promise.all(caches.map((cache) => look(cache, key)));
  const untilEverywhere = (key: string, holds: (caller: Caller | undefined) => boolean): Promise<true> =>
    waitFor(async () => (await everywhere(key)).every(holds));

  it('a revoked key is refused by every process', async () => {
    const { key, secret } = await administration.create(SHOP, BY);
    for (const caller of await everywhere(secret)) expect(caller?.keyId).toBe(key.id);
    expect((await administration.revoke(key.id, BY)).announced).toBe(true);
    await untilEverywhere(secret, (caller) => caller === undefined);
  });

  it('a change of plan and scopes holds in every process', async () => {
    const { key, secret } = await administration.create(SHOP, BY);
    await everywhere(secret);
    await administration.update(key.id, { plan: 'business', scopes: ['pets:read'] }, BY);
    await untilEverywhere(secret, (caller) => caller?.plan === 'business' && caller.scopes.size === 1);
  });
});

describe('the event bus of PostgreSQL', () => {
  let bus: ApiKeyEventBus;
  let received: ApiKeyEvent[];
  beforeEach(async () => {
    bus = new PostgresApiKeyEventBus(service.database);
    received = [];
    await bus.subscribe((event) => received.push(event));
  });
  afterEach(() => bus.close());

  const event = (): ApiKeyEvent => ({ kind: 'changed', keyId: KeyId.generate() });

  it('carries events in their order, to the process that publishes, too', async () => {
    const sent: ApiKeyEvent[] = [event(), { kind: 'unbanned', keyId: KeyId.generate() }];
    for (const item of sent) await bus.publish(item);
    await waitFor(() => received.length === 2);
    expect(received).toEqual(sent);
  });

  it('connects again after its connection was lost', async () => {
    await db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'petstore key events'`,
    );
    await waitFor(async () => {
      await bus.publish(event());
      return received.length > 0;
    });
  });
});
