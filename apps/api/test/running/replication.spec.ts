import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Database } from '@petstore/persistence';
import {
  MovableAddress,
  type ReplicatedPostgres,
  startReplicatedPostgres,
  type TestPostgres,
} from '@petstore/test-servers';
import { Client as Postgres } from 'pg';
import { PETSTORE_SCOPES } from '../../src/access/petstore-scopes.js';
import { Client, type Reply } from '../support/client.js';
import { positionOf } from '../support/event-reader.js';
import { AS_IN_PRODUCTION, runService, type RunningService } from '../support/running-service.js';
import { until } from '../support/until.js';

const WRITERS = 4;

interface FeedEvent {
  readonly id: number;
  readonly data: { readonly pet: { readonly name: string } };
}

let servers: ReplicatedPostgres;
/** The address of the primary, whichever server that is. */
let address: MovableAddress;
let running: RunningService;
let writer: Client;
let reader: Client;

beforeAll(async () => {
  servers = await startReplicatedPostgres((settings) => Database.open(settings));
  address = await MovableAddress.of(servers.primary);
  const environment = { DATABASE_URL: address.url, DATABASE_READ_URL: servers.replica.url, OPS_PORT: '0' };
  running = await runService(environment, {
    startPostgres: () => Promise.resolve(servers.primary),
    responseTimeoutMs: AS_IN_PRODUCTION,
  });
  writer = await running.client();
  reader = await running.client({ scopes: PETSTORE_SCOPES.all.filter((scope) => scope.endsWith(':read')) });
});
afterAll(async () => {
  await running.close();
  await servers.replica.stop();
  await address.remove();
});

async function execute(server: TestPostgres, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const session = new Postgres({ connectionString: server.url });
  await session.connect();
  let rows: Record<string, unknown>[] = [];
  for (const statement of statements) ({ rows } = await session.query<Record<string, unknown>>(statement));
  await session.end();
  return rows;
}

/** Has the primary wait for standbys of this name at each commit. */
const requireStandby = (name: string): Promise<unknown> =>
  execute(
    servers.primary,
    `alter system set synchronous_standby_names to '${name}'`,
    'select pg_reload_conf()',
  );

const put = (id: string, name: string): Promise<unknown> =>
  writer.post(`/v1/categories/${id}`, { name }, { method: 'PUT' });

/** Resolves when what is on the replica is as old as this in seconds, or no younger than infinitely old. */
async function replicaAge(isReached: (seconds: number) => boolean): Promise<void> {
  await until(async () => {
    return isReached(await metric('petstore_database_replica_age_seconds'));
  }, 25_000);
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${running.service.management ?? ''}/metrics`)).text();
  const value = new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1];
  return Number(value?.replace('+Inf', 'Infinity'));
}

it('reads on the replica for keys that may only read, and on the primary for keys that may write', async () => {
  await put('77', 'Newts');
  await until(async () => (await reader.get('/v1/categories/77')).status === 200);
  let round = 0;
  let pet = '';
  /** Whether keys that may only read get nothing of what is on the primary alone. */
  const isHidden = async (): Promise<boolean> => {
    const name = `Nora ${++round}`;
    await replicaAge((age) => age < 5);
    await execute(servers.replica, 'select pg_wal_replay_pause()');
    try {
      const { headers } = await writer.post('/v1/pets', { name, categoryId: 77 });
      pet = headers.location ?? '';
      const inventory = '/v1/store/inventory?categoryId=77';
      const available = `"available":${round}`;
      await until(async () => (await writer.get(inventory)).text.includes(available));
      const id = pet.split('/').at(-1) ?? '';
      for (const [path, news] of [
        [pet, name],
        ['/v1/pets?categoryId=77', name],
        [`/v1/pets?name=Nora%20${round}`, name],
        [`/v1/pets?ids=${id}`, name],
        [inventory, available],
        ['/v1/events?limit=100', name],
      ] as const) {
        expect((await writer.get(path)).text).toContain(news);
        if ((await reader.get(path)).text.includes(news)) return false;
      }
      return true;
    } finally {
      await execute(servers.replica, 'select pg_wal_replay_resume()');
    }
  };
  // On a busy machine the primary serves a reader for whom the replica was late, or was left out after 5 s.
  await until(isHidden);
  await until(async () => (await reader.get(pet)).text.includes(`Nora ${round}`));
});

it('serves keys that may only read while the primary is frozen', async () => {
  await replicaAge((age) => age < 5);
  const fresh = new Client(running.service.origin, await running.issueKey({ scopes: ['pets:read'] }));
  const created = await writer.post('/v1/pets', { name: 'Ada', categoryId: 77 });
  const pet = created.headers.location ?? '';
  await until(async () => (await reader.get('/v1/events?limit=100')).text.includes('Ada'));
  const position = positionOf(await reader.get('/v1/events?limit=100'));
  const paths = [pet, `${pet}/profile`, '/v1/pets?limit=1'];
  paths.push('/v1/store/inventory', `/v1/events?after=${position}`);
  const fields = new Map<string, unknown>();
  for (const path of paths) fields.set(path, Object.keys((await reader.get(path)).headers).sort());
  const said = (): string[] =>
    running.lines.filter((line) => /the primary of the database|the primary responds/.test(line));
  const saidBefore = said().length;
  await servers.primary.pause();
  try {
    await until(async () => (await metric('petstore_database_replica_alone')) === 1);
    for (const path of paths)
      for (const client of [reader, fresh]) {
        let reply: Reply | undefined;
        // A busy machine may let the replica be late, which is 503 here.
        await until(async () => (reply = await client.get(path)).status !== 503);
        expect([path, reply?.status, Object.keys(reply?.headers ?? {}).sort()]).toEqual([
          ...[path, 200],
          fields.get(path),
        ]);
      }
    expect(positionOf(await reader.get(`/v1/events?after=${position}`))).toBe(position);
    for (const path of paths) expect([path, (await writer.get(path)).status]).toEqual([path, 503]);
    const ready = await fetch(`${running.service.management ?? ''}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([200, expect.stringContaining('degraded')]);
    expect((await fetch(`${running.service.origin}/readyz`)).status).toBe(200);
  } finally {
    servers.primary.resume();
  }
  await until(async () => (await writer.get('/v1/pets')).status === 200);
  await until(async () => (await metric('petstore_database_replica_alone')) === 0);
  // On a busy machine it may have been lost more than once.
  await until(
    () => said().length >= saidBefore + 2 && said().at(-1)?.includes('the primary responds') === true,
  );
  expect(said().at(-2)).toContain('does not respond, the replica alone serves reads');
  fresh.close();
});

it('says in its log and its metrics when it leaves the replica out', async () => {
  const isLogged = (text: string): boolean => running.lines.some((line) => line.includes(text));
  expect(isLogged('serves reads')).toBe(true);
  await servers.replica.kill();
  try {
    await replicaAge((age) => age === Infinity);
    expect((await reader.get('/v1/pets')).status).toBe(200);
    await until(() => isLogged('left out'));
  } finally {
    await servers.replica.start();
  }
  await replicaAge((age) => age < 5);
}, 60_000);

/** What a key that may only read gets of the feed while it changes, until it has so many events and no more follow. */
async function follow(after: string, wanted: () => number, isOver: () => boolean): Promise<FeedEvent[]> {
  const events: FeedEvent[] = [];
  for (let position = after; !isOver() || events.length < wanted();) {
    const reply = await reader.get(`/v1/events?after=${position}&limit=100`);
    expect([200, 503]).toContain(reply.status);
    if (reply.status === 200) {
      events.push(...(JSON.parse(reply.text) as FeedEvent[]));
      position = positionOf(reply);
    }
    await sleep(5);
  }
  return events;
}

it('loses and doubles nothing when a synchronous standby becomes the primary', async () => {
  await running.another();
  await requireStandby('*');
  await until(async () => {
    const [standby] = await execute(servers.primary, 'select sync_state from pg_stat_replication');
    return standby?.['sync_state'] === 'sync';
  });
  const acknowledged = new Map<string, string>();
  const refusals: string[] = [];
  let [isWriting, isWritten] = [true, false];
  const write = async (number: number): Promise<void> => {
    for (let n = 0; isWriting; n++) {
      const name = `${number}-${n}`;
      const headers = { 'Idempotency-Key': randomUUID() };
      while (!acknowledged.has(name)) {
        const reply = await writer.post('/v1/pets', { name, categoryId: 1 }, { headers });
        if (reply.status === 201) acknowledged.set(name, reply.headers.location ?? '');
        else refusals.push(`${reply.status} ${reply.headers['retry-after'] ?? 'no Retry-After'}`);
        await sleep(20);
      }
    }
  };
  const { key, secret } = await running.administration.create({ name: 'revoked', plan: 'free' }, 'tests');
  const before = positionOf(await writer.get('/v1/events?after=latest'));
  const writers = Array.from({ length: WRITERS }, (_, n) => write(n));
  const followed = follow(
    before,
    () => acknowledged.size,
    () => isWritten,
  );
  await until(() => acknowledged.size >= 50, 30_000);
  const refused = refusals.length;
  await servers.primary.kill();
  await until(() => refusals.length > refused);
  await execute(servers.replica, 'select pg_promote()');
  await address.leadTo(servers.replica);
  const kept = acknowledged.size;
  await until(() => acknowledged.size >= kept + 50, 30_000);
  isWriting = false;
  await Promise.all(writers);
  // Not before: a last request may be acknowledged after the follower has seen all others.
  isWritten = true;

  // 409 for one that is sent again while its first sending still waits for the standby.
  expect(refusals.filter((refusal) => !/^(503|409) \d+$/.test(refusal))).toEqual([]);
  const stored = await execute(servers.replica, `select name, id from pets where name ~ '^\\d'`);
  expect(new Map(stored.map(({ name, id }) => [name, `/v1/pets/${String(id)}`]))).toEqual(acknowledged);
  expect(stored).toHaveLength(acknowledged.size);

  const events: FeedEvent[] = [];
  await until(async () => {
    const { status, text } = await writer.get(`/v1/events?after=${events.at(-1)?.id ?? before}&limit=100`);
    if (status !== 200) return false;
    events.push(...(JSON.parse(text) as FeedEvent[]));
    return events.length >= acknowledged.size;
  });
  expect(events.map(({ id }) => id)).toEqual(events.map((_, n) => Number(before) + n + 1));
  expect(new Set(events.map(({ data }) => data.pet.name))).toEqual(new Set(acknowledged.keys()));
  expect(await followed).toEqual(events);

  // Key events arrive from the new primary, too, at both instances.
  const listening = `select from pg_stat_activity where application_name = 'petstore key events'`;
  await until(async () => (await execute(servers.replica, listening)).length === 2);
  await until(async () => (await reader.get('/v1/pets', { key: secret })).status === 200);
  await execute(
    servers.replica,
    `update api_keys set revoked_at = now() where id = '${key.id}'`,
    `select pg_notify('petstore_keys', 'changed ${key.id}')`,
  );
  await until(async () => (await reader.get('/v1/pets', { key: secret })).status === 401);
}, 90_000);
