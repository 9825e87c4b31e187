import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ApiKeyAdministration,
  type Caller,
  type Clock,
  type ApiKeyEventBus,
  ApiKeyCache,
  KeySigner,
  RedisApiKeyEventBus,
  systemClock,
} from '@petstore/api-key';
import { startRedis, type TestPostgres, type TestRedis } from '@petstore/test-servers';
import { waitFor } from '@petstore/testing';
import { PostgresApiKeyEventBus } from '../src/api-keys/postgres-api-key-event-bus.js';
import { SCOPES } from '../src/testing/scopes.js';
import { startMigratedServer } from './migrated-server.js';
import { Stores } from './stores.js';

const BY = 'anna';
const signer = new KeySigner('pepper of the tests');

let postgres: TestPostgres;
let redis: TestRedis;
let operators: Stores;
let service: Stores;

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startMigratedServer(), startRedis()]);
  operators = await Stores.open({ url: postgres.url });
  service = await Stores.open({ url: postgres.url });
});
afterAll(async () => {
  await Promise.all([operators.close(), service.close()]);
  await Promise.all([postgres.stop(), redis.stop()]);
});

const newAdministration = (events?: ApiKeyEventBus, by = signer): ApiKeyAdministration =>
  new ApiKeyAdministration({
    repository: operators.apiKeys,
    signer: by,
    scopes: SCOPES,
    kind: 'test',
    events,
  });

/** What the guard does with a key. */
async function ask(cache: ApiKeyCache, key: string, by = signer): Promise<Caller | undefined> {
  const cached = cache.get(key);
  if (cached !== undefined) return cached === 'refused' ? undefined : cached;
  const hash = by.verify(key);
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
    administration = newAdministration(bus);
    caches = await Promise.all(
      ofCaches.map(async (own) => {
        const cache = new ApiKeyCache(service.keyLookup);
        await own.subscribe(cache.invalidate);
        return cache;
      }),
    );
  });
  afterEach(() => Promise.all(buses.map((bus) => bus.close())));

  const everywhere = async (key: string): Promise<(Caller | undefined)[]> =>
    Promise.all(caches.map((cache) => ask(cache, key)));

  it('a revoked key is refused by every process at once', async () => {
    const { key, secret } = await administration.create({ name: 'shop', plan: 'free' }, BY);
    for (const caller of await everywhere(secret)) expect(caller?.keyId).toBe(key.id);
    expect((await administration.revoke(key.id, BY)).announced).toBe(true);
    const began = performance.now();
    await waitFor(async () => (await everywhere(secret)).every((caller) => caller === undefined));
    // Long before anything remembered would have been read again.
    expect(performance.now() - began).toBeLessThan(6_000);
  });

  it('a change of plan and scopes holds in every process at once', async () => {
    const { key, secret } = await administration.create({ name: 'shop', plan: 'pro' }, BY);
    await everywhere(secret);
    await administration.update(key.id, { plan: 'business', scopes: ['pets:read'] }, BY);
    await waitFor(async () =>
      (await everywhere(secret)).every((caller) => caller?.plan === 'business' && caller.scopes.size === 1),
    );
  });

  it('both secrets of a rotated key stand for the same caller until the overlap ends', async () => {
    const { key, secret: old } = await administration.create({ name: 'shop', plan: 'pro' }, BY);
    await everywhere(old);
    const { secret: fresh } = await administration.rotate(key.id, 700, BY);
    const began = performance.now();
    for (const caller of [...(await everywhere(old)), ...(await everywhere(fresh))]) {
      expect(caller?.keyId).toBe(key.id);
    }
    await waitFor(async () => (await everywhere(old)).every((caller) => caller === undefined));
    expect(performance.now() - began).toBeLessThan(6_000);
    for (const caller of await everywhere(fresh)) expect(caller?.keyId).toBe(key.id);
  });
});

it('a revoked key is refused within 10 seconds where no event arrives', async () => {
  let passed = 0;
  const clock: Clock = {
    now: () => systemClock.now() + passed,
    elapsed: () => systemClock.elapsed() + passed,
  };
  const administration = newAdministration();
  const cache = new ApiKeyCache(service.keyLookup, clock);
  const { key, secret } = await administration.create({ name: 'shop', plan: 'free' }, BY);
  expect((await ask(cache, secret))?.keyId).toBe(key.id);
  expect((await administration.revoke(key.id, BY)).announced).toBe(false);
  for (; (await ask(cache, secret)) !== undefined; passed += 100) expect(passed).toBeLessThan(10_000);
});

it('a key of the previous pepper is accepted for as long as that is configured, and a rotation ends its need', async () => {
  const { key, secret } = await newAdministration().create({ name: 'shop', plan: 'free' }, BY);
  const both = new KeySigner('new pepper', ['pepper of the tests']);
  const onlyNew = new KeySigner('new pepper');
  expect((await ask(new ApiKeyCache(service.keyLookup), secret, both))?.keyId).toBe(key.id);
  expect(await ask(new ApiKeyCache(service.keyLookup), secret, onlyNew)).toBeUndefined();
  const { secret: fresh } = await newAdministration(undefined, both).rotate(key.id, 60_000, BY);
  expect((await ask(new ApiKeyCache(service.keyLookup), fresh, onlyNew))?.keyId).toBe(key.id);
});

it.each(['create', 'rotate'] as const)(
  'what %s issues works at once in every process where no event arrives',
  async (way) => {
    const caches = [1, 2].map(() => new ApiKeyCache(service.keyLookup));
    const administration = newAdministration();
    let { key, secret } = await administration.create({ name: 'shop', plan: 'free' }, BY);
    if (way === 'rotate') ({ key, secret } = await administration.rotate(key.id, 0, BY));
    for (const cache of caches) expect((await ask(cache, secret))?.keyId).toBe(key.id);
  },
);
