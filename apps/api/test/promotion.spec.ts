import { randomUUID } from 'node:crypto';
import { rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Database } from '@petstore/persistence';
import {
  type ReplicatedPostgres,
  startReplicatedPostgres,
  type TemporaryFolder,
  temporaryFolder,
  type TestPostgres,
} from '@petstore/test-servers';
import { Client as Postgres } from 'pg';
import type { Client } from './client.js';
import { runService, type RunningService } from './running-service.js';
import { until } from './until.js';

const WRITERS = 4;
const SOCKET = '.s.PGSQL.5432';

let servers: ReplicatedPostgres;
/** The address of the primary, whichever server that is: a folder with a link to its socket. */
let address: TemporaryFolder;
let running: RunningService;
let client: Client;

beforeAll(async () => {
  servers = await startReplicatedPostgres((settings) => Database.open(settings));
  address = await temporaryFolder('primary');
  await leadTo(servers.primary);
  await execute(servers.primary, "alter system set synchronous_standby_names = '*'");
  await execute(servers.primary, 'select pg_reload_conf()');
  await until(async () => {
    const [standby] = await execute(servers.primary, 'select sync_state from pg_stat_replication');
    return standby?.['sync_state'] === 'sync';
  });
  const url = new URL(servers.primary.url);
  url.searchParams.set('host', address.path);
  running = await runService({ DATABASE_URL: url.href }, undefined, () => Promise.resolve(servers.primary));
  client = await running.client();
});
afterAll(async () => {
  await running.close();
  await servers.replica.stop();
  await address.remove();
});

const folderOf = ({ url }: TestPostgres): string => new URL(url).searchParams.get('host') ?? '';

async function leadTo(server: TestPostgres): Promise<void> {
  const next = join(address.path, 'next');
  await symlink(join(folderOf(server), SOCKET), next);
  await rename(next, join(address.path, SOCKET));
}

async function execute(server: TestPostgres, statement: string): Promise<Record<string, unknown>[]> {
  const session = new Postgres({ connectionString: server.url });
  await session.connect();
  const { rows } = await session.query<Record<string, unknown>>(statement);
  await session.end();
  return rows;
}

it('loses and doubles nothing when a synchronous standby becomes the primary', async () => {
  const acknowledged = new Map<string, string>();
  const refusals = new Set<string>();
  let isWriting = true;
  const write = async (writer: number): Promise<void> => {
    for (let n = 0; isWriting; n++) {
      const name = `${String(writer)}-${String(n)}`;
      const headers = { 'Idempotency-Key': randomUUID() };
      for (;;) {
        const answer = await client.post('/v1/pets', { name, categoryId: 1 }, { headers });
        if (answer.status === 201) {
          acknowledged.set(name, answer.headers.location ?? '');
          break;
        }
        refusals.add(`${String(answer.status)} ${answer.headers['retry-after'] ?? 'no Retry-After'}`);
        await sleep(20);
      }
    }
  };
  const writers = Array.from({ length: WRITERS }, (_, n) => write(n));

  await until(() => acknowledged.size >= 50, 30_000);
  await servers.primary.kill();
  await until(() => refusals.size > 0);
  await execute(servers.replica, 'select pg_promote()');
  await leadTo(servers.replica);
  const before = acknowledged.size;
  await until(() => acknowledged.size >= before + 50, 30_000);
  isWriting = false;
  await Promise.all(writers);

  expect([...refusals].filter((refusal) => !/^503 \d+$/.test(refusal))).toEqual([]);
  const stored = await execute(servers.replica, 'select name, id from pets order by id');
  expect(new Map(stored.map(({ name, id }) => [name, `/v1/pets/${String(id)}`]))).toEqual(acknowledged);
  expect(stored).toHaveLength(acknowledged.size);

  const events: { id: number; data: { pet: { name: string } } }[] = [];
  await until(async () => {
    const { text } = await client.get(`/v1/events?after=${String(events.at(-1)?.id ?? 0)}&limit=100`);
    events.push(...(JSON.parse(text) as typeof events));
    return events.length >= acknowledged.size;
  });
  expect(events.map(({ id }) => id)).toEqual(events.map((_, n) => n + 1));
  expect(new Set(events.map(({ data }) => data.pet.name))).toEqual(new Set(acknowledged.keys()));
}, 90_000);
