import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ApiKeyAdministration,
  ApiKeyFilter,
  type Caller,
  type Clock,
  type ApiKeyEventBus,
  ApiKeyCache,
  RedisApiKeyEventBus,
  SecretHasher,
  systemClock,
} from '@petstore/api-key';
import { startRedis, type TestPostgres, type TestRedis } from '@petstore/test-servers';
import { PostgresApiKeyEventBus } from '../src/api-keys/postgres-api-key-event-bus.js';
import { SCOPES } from '../src/testing/scopes.js';
import { startMigratedServer } from './migrated-server.js';
import { Stores } from './stores.js';

const BY = 'anna';
const hasher = new SecretHasher('pepper of the tests');

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

const newAdministration = (events?: ApiKeyEventBus): ApiKeyAdministration =>
  new ApiKeyAdministration({ repository: operators.apiKeys, hasher, scopes: SCOPES, kind: 'test', events });

/** As each process has one. It reads only when it is asked to: nothing depends on its own times. */
const filters: ApiKeyFilter[] = [];
function newFilter(): ApiKeyFilter {
  const filter = new ApiKeyFilter(service.keyHashes, {
    settings: { refreshGap: 10, refreshEvery: 3_600_000 },
  });
  filters.push(filter);
  return filter;
}
afterEach(() => Promise.all(filters.splice(0).map((filter) => filter.close())));

/** What the guard does with a key. */
async function ask(cache: ApiKeyCache, key: string): Promise<Caller | undefined> {
  const known = cache.get(key) ?? (await cache.load(key));
  return known === 'refused' ? undefined : known;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 2));
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
        const filter = newFilter();
        await filter.start();
        const cache = new ApiKeyCache(service.keyLookup, hasher, filter);
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
    await until(async () => (await everywhere(secret)).every((caller) => caller === undefined));
    // Long before anything remembered would have been read again.
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it('a change of plan and scopes holds in every process at once', async () => {
    const { key, secret } = await administration.create({ name: 'shop', plan: 'pro' }, BY);
    await everywhere(secret);
    await administration.update(key.id, { plan: 'business', scopes: ['pets:read'] }, BY);
    await until(async () =>
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
    await until(async () => (await everywhere(old)).every((caller) => caller === undefined));
    expect(performance.now() - began).toBeLessThan(2_500);
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
  const cache = new ApiKeyCache(service.keyLookup, hasher, newFilter(), clock);
  const { key, secret } = await administration.create({ name: 'shop', plan: 'free' }, BY);
  expect((await ask(cache, secret))?.keyId).toBe(key.id);
  expect((await administration.revoke(key.id, BY)).announced).toBe(false);
  for (; (await ask(cache, secret)) !== undefined; passed += 100) expect(passed).toBeLessThan(10_000);
});

it('a change of pepper keeps every key that is used before the old pepper goes', async () => {
  const administration = newAdministration();
  const { key, secret } = await administration.create({ name: 'used', plan: 'free' }, BY);
  const { secret: unused } = await administration.create({ name: 'unused', plan: 'free' }, BY);
  const both = new ApiKeyCache(
    service.keyLookup,
    new SecretHasher('new pepper', ['pepper of the tests']),
    newFilter(),
  );
  expect((await ask(both, secret))?.keyId).toBe(key.id);
  const newHash = new SecretHasher('new pepper').hash(secret);
  await until(async () => (await service.keyLookup.find([newHash])) !== undefined);
  const onlyNew = new ApiKeyCache(service.keyLookup, new SecretHasher('new pepper'), newFilter());
  expect((await ask(onlyNew, secret))?.keyId).toBe(key.id);
  expect(await ask(onlyNew, unused)).toBeUndefined();
  expect(await ask(both, unused)).toBeDefined();
});

describe('where no event arrives', () => {
  let administration: ApiKeyAdministration;
  let caches: ApiKeyCache[];

  beforeEach(async () => {
    administration = newAdministration();
    caches = await Promise.all(
      [1, 2].map(async () => {
        const filter = newFilter();
        await filter.start();
        return new ApiKeyCache(service.keyLookup, hasher, filter);
      }),
    );
  });

  it('a new key works at once in every process', async () => {
    const { key, secret } = await administration.create({ name: 'shop', plan: 'free' }, BY);
    for (const cache of caches) expect((await ask(cache, secret))?.keyId).toBe(key.id);
  });

  it('the new secret of a rotated key works at once in every process', async () => {
    const { key } = await administration.create({ name: 'shop', plan: 'free' }, BY);
    const { secret } = await administration.rotate(key.id, 0, BY);
    for (const cache of caches) expect((await ask(cache, secret))?.keyId).toBe(key.id);
  });

  it('a key works in a process that knows the new pepper only as soon as another one has hashed it anew', async () => {
    const { key, secret } = await administration.create({ name: 'shop', plan: 'free' }, BY);
    const filter = newFilter();
    await filter.start();
    const onlyNew = new ApiKeyCache(service.keyLookup, new SecretHasher('a later pepper'), filter);
    expect(await ask(onlyNew, secret)).toBeUndefined();
    const [from, to] = [hasher.hash(secret), new SecretHasher('a later pepper').hash(secret)];
    await service.keyLookup.rehash(from, to);
    // Remembered as refused, for seconds at most: any key that is added ends it.
    await filter.refresh();
    expect((await ask(onlyNew, secret))?.keyId).toBe(key.id);
  });
});
