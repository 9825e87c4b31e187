import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '@petstore/persistence';
import { type ReplicatedPostgres, startReplicatedPostgres } from '@petstore/test-servers';
import { Client as Postgres } from 'pg';
import { PETSTORE_SCOPES } from '../src/access/petstore-scopes.js';
import { Client, type Reply } from './client.js';
import { positionOf } from './event-reader.js';
import { runService, type RunningService } from './running-service.js';
import { until } from './until.js';

let servers: ReplicatedPostgres;
let running: RunningService;
let writer: Client;
let reader: Client;

beforeAll(async () => {
  servers = await startReplicatedPostgres((settings) => Database.open(settings));
  running = await runService({ DATABASE_READ_URL: servers.replica.url, OPS_PORT: '0' }, undefined, () =>
    Promise.resolve(servers.primary),
  );
  writer = await running.client();
  reader = await running.client({ scopes: PETSTORE_SCOPES.all.filter((scope) => scope.endsWith(':read')) });
});
afterAll(async () => {
  await running.close();
  await servers.replica.stop();
});

const put = (id: string, name: string): Promise<unknown> =>
  writer.post(`/v1/categories/${id}`, { name }, { method: 'PUT' });

async function onReplica(statement: string): Promise<void> {
  const session = new Postgres({ connectionString: servers.replica.url });
  await session.connect();
  await session.query(statement);
  await session.end();
}

async function age(): Promise<number> {
  const text = await (await fetch(`${running.service.management ?? ''}/metrics`)).text();
  return Number(/^petstore_database_replica_age_seconds (.+)$/m.exec(text)?.[1]?.replace('+Inf', 'Infinity'));
}

describe('a service with a replica', () => {
  it('reads there for keys that may only read, and on the primary for keys that may write', async () => {
    await until(async () => (await age()) < 5);
    await put('77', 'Newts');
    await until(async () => (await reader.get('/v1/categories/77')).status === 200);
    await onReplica('select pg_wal_replay_pause()');
    try {
      const { headers } = await writer.post('/v1/pets', { name: 'Nora', categoryId: 77 });
      await put('78', 'Toads');
      const pet = headers.location ?? '';
      const paths = [
        [pet, 404],
        ['/v1/categories/78', 404],
      ] as const;
      for (const [path, status] of paths) {
        expect((await writer.get(path)).status).toBe(200);
        expect((await reader.get(path)).status).toBe(status);
      }
      for (const path of ['/v1/pets?categoryId=77', `/v1/pets?ids=${pet.split('/').at(-1) ?? ''}`]) {
        expect((await writer.get(path)).text).toContain('Nora');
        expect((await reader.get(path)).text).toBe('[]');
      }
      expect((await reader.get('/v1/categories')).text).not.toContain('Toads');
      await until(async () =>
        (await writer.get('/v1/store/inventory?categoryId=77')).text.includes('"available":1'),
      );
      expect((await reader.get('/v1/store/inventory?categoryId=77')).text).toContain('"available":0');
      expect((await writer.get('/v1/events?limit=100')).text).toContain('Nora');
      expect((await reader.get('/v1/events?limit=100')).text).not.toContain('Nora');
    } finally {
      await onReplica('select pg_wal_replay_resume()');
    }
    await until(async () => (await reader.get('/v1/pets?categoryId=77')).text.includes('Nora'));
  });

  it('does not refuse a position of the feed that a replica shows before the primary does', async () => {
    await until(async () => (await age()) < 5);
    // The primary serves all reads of this instance.
    const other = await running.another({ DATABASE_READ_URL: 'postgres://127.0.0.1:1/petstore' });
    const elsewhere = new Client(other.origin, await running.issueKey({ scopes: ['pets:read'] }));
    const primary = new Postgres({ connectionString: servers.primary.url });
    const committing = new Postgres({ connectionString: servers.primary.url });
    await Promise.all([primary.connect(), committing.connect()]);
    const requireStandby = async (standby: string): Promise<void> => {
      await primary.query(`alter system set synchronous_standby_names to '${standby}'`);
      await primary.query('select pg_reload_conf()');
    };
    const ahead = async (): Promise<string> => positionOf(await reader.get('/v1/events?after=0&limit=100'));
    const read = (after: string): Promise<Reply> => elsewhere.get(`/v1/events?after=${after}`);
    let mayCommit = true;
    const commits = async (): Promise<void> => {
      while (mayCommit) await committing.query('update event_head set position = position + 1');
    };
    const statuses = new Set<number>();
    await requireStandby('none_of_this_name');
    const committed = commits();
    try {
      await until(async () => statuses.add((await read(await ahead())).status).has(503));
      expect(statuses).not.toContain(410);
      mayCommit = false;
      await requireStandby('');
      await committed;
      expect((await read(await ahead())).status).toBe(200);
      expect((await read(`${await ahead()}0`)).status).toBe(410);
    } finally {
      elsewhere.close();
      mayCommit = false;
      await requireStandby('');
      await committed;
      await Promise.all([primary.end(), committing.end()]);
    }
  });

  it('says in its log and its metrics when it leaves the replica out', async () => {
    expect(running.lines.some((line) => line.includes('serves reads'))).toBe(true);
    await servers.replica.kill();
    await until(async () => (await age()) === Infinity);
    expect((await reader.get('/v1/pets')).status).toBe(200);
    await until(() => running.lines.some((line) => line.includes('left out')));
    await servers.replica.start();
    await until(async () => (await age()) < 5);
  });
});
