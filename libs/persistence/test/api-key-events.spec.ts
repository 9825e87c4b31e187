import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ApiKeyAdministration,
  ApiKeyCache,
  type ApiKeyEventBus,
  type Caller,
  KeyId,
  KeySigner,
  type ReceivedApiKeyEvent,
} from '@petstore/api-key';
import type { TestPostgres } from '@petstore/test-servers';
import { waitFor } from '@petstore/testing';
import { ListenNotifyBus } from '../src/api-keys/listen-notify-bus.js';
import { PLANS, SCOPES } from '../src/testing/scopes.js';
import { worksAgain } from './queries.js';
import type { Stores } from './stores.js';
import { connect, startMigratedServer, TestDatabase } from './test-database.js';
import { Wire } from './wire.js';

const BY = 'anna';
const signer = new KeySigner('pepper of the tests');
const SHOP = { name: 'shop', plan: 'pro' } as const;

/** The stores of `db` are those of the operators. */
const db = new TestDatabase();
let service: Stores;
beforeAll(async () => {
  service = await db.open();
});

/** What the guard does with a key. */
async function look(cache: ApiKeyCache, key: string): Promise<Caller | undefined> {
  const cached = cache.get(key);
  if (cached !== undefined) return cached === 'refused' ? undefined : cached;
  const hash = signer.verify(key);
  return hash && cache.load(key, hash);
}

const administrationOf = (stores: Stores, events?: ApiKeyEventBus): ApiKeyAdministration =>
  new ApiKeyAdministration({
    ...{ repository: stores.apiKeys, signer, scopes: SCOPES, plans: PLANS, mode: 'test' },
    ...(events && { events }),
  });
/** A cache in which nothing grows old: only events change it. */
async function cacheOn({ keyLookup }: Stores, bus: ApiKeyEventBus): Promise<ApiKeyCache> {
  const at = Date.now();
  const cache = new ApiKeyCache(keyLookup, PLANS, { now: () => at, elapsed: () => 0 });
  await bus.subscribe(cache.invalidate);
  return cache;
}

it('events over PostgreSQL reach every process in their order, and a revoked key is refused by all', async () => {
  const buses = Array.from({ length: 3 }, () => new ListenNotifyBus(service.database));
  const [bus, ...ofCaches] = buses as [ListenNotifyBus, ...ListenNotifyBus[]];
  const received: ReceivedApiKeyEvent[] = [];
  await bus.subscribe((event) => received.push(event));
  const sent = Array.from({ length: 5 }, () => ({ kind: 'unbanned' as const, keyId: KeyId.generate() }));
  for (const event of sent) await bus.publish(event);
  await waitFor(() => received.length === sent.length);
  expect(received).toEqual(sent);
  const administration = administrationOf(db.stores, bus);
  const caches = await Promise.all(ofCaches.map((own) => cacheOn(service, own)));
  const { key, secret } = await administration.create(SHOP, BY);
  for (const cache of caches) expect((await look(cache, secret))?.keyId).toBe(key.id);
  expect((await administration.revoke(key.id, BY)).announced).toBe(true);
  for (const cache of caches) await waitFor(async () => (await look(cache, secret)) === undefined);
  await Promise.all(buses.map((one) => one.close()));
});

describe('a revocation whose event was lost holds as soon as the process listens again, which it does when', () => {
  let server: TestPostgres;
  let wire: Wire;
  let lossy: Stores;
  beforeAll(async () => {
    server = await startMigratedServer();
    wire = await Wire.to(server.url);
    lossy = await db.open({ url: wire.url });
  });
  afterAll(async () => {
    wire.refuse();
    await server.stop();
  });

  const endSessions = async (): Promise<void> => {
    const admin = await connect(server.url);
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'petstore key events'`,
    );
    await admin.end();
  };
  const restart = async (): Promise<void> => {
    await server.kill();
    await server.start();
  };
  /** Until the process has given the session up and tries another one. */
  const hang = async (): Promise<void> => {
    const before = wire.accepted;
    await server.pause();
    try {
      await waitFor(() => wire.accepted > before);
    } finally {
      server.resume();
    }
  };

  it.each([
    ['its session was ended', endSessions],
    ['the server was restarted', restart],
    ['the server hung', hang],
  ])('%s', async (_what, lose) => {
    await waitFor(() => worksAgain(lossy));
    const bus = new ListenNotifyBus(lossy.database);
    const cache = await cacheOn(lossy, bus);
    const silent = administrationOf(lossy);
    const { key, secret } = await silent.create(SHOP, BY);
    await look(cache, secret);
    await silent.revoke(key.id, BY);
    expect((await look(cache, secret))?.keyId).toBe(key.id);
    await lose();
    // A look-up is refused with an error while the server is away.
    await waitFor(() =>
      look(cache, secret).then(
        (caller) => caller === undefined,
        () => false,
      ),
    );
    await bus.close();
  });
});
