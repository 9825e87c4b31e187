import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ApiKeyAdministration,
  ApiKeyCache,
  type ApiKeyEventBus,
  type Caller,
  KeyId,
  KeySigner,
  type ApiKeyEvent,
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

describe('by events over PostgreSQL', () => {
  let buses: ApiKeyEventBus[];
  let administration: ApiKeyAdministration;
  let caches: ApiKeyCache[];

  beforeEach(async () => {
    buses = Array.from({ length: 3 }, () => new ListenNotifyBus(service.database));
    const [bus, ...ofCaches] = buses;
    administration = new ApiKeyAdministration({
      repository: db.stores.apiKeys,
      signer,
      scopes: SCOPES,
      plans: PLANS,
      mode: 'test',
      events: bus,
    });
    caches = await Promise.all(
      ofCaches.map(async (own) => {
        // What it remembers never grows old here: only events change it.
        const at = Date.now();
        const cache = new ApiKeyCache(service.keyLookup, PLANS, { now: () => at, elapsed: () => 0 });
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
  let received: ReceivedApiKeyEvent[];
  beforeEach(async () => {
    bus = new ListenNotifyBus(service.database);
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
    const at = Date.now();
    const cache = new ApiKeyCache(lossy.keyLookup, PLANS, { now: () => at, elapsed: () => 0 });
    await bus.subscribe(cache.invalidate);
    const silent = new ApiKeyAdministration({
      repository: lossy.apiKeys,
      signer,
      scopes: SCOPES,
      plans: PLANS,
      mode: 'test',
    });
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
