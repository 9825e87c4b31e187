import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { Client } from 'pg';
import { type DataSource, MigrationExecutor } from 'typeorm';
import { createDataSource } from '../src/schema/data-source.js';
import { migrate } from '../src/schema/migrate.js';
import { soon } from './soon.js';

const MIGRATION = 'IndexPetsByCategory1795165200000';
const INDEX = 'pets_category_status_id';

let server: TestPostgres;
let dataSource: DataSource;
let admin: Client;

beforeAll(async () => {
  server = await startTestPostgres();
  admin = await connect();
});
afterAll(async () => {
  await admin.end();
  await server.stop();
});
beforeEach(async () => {
  dataSource = await createDataSource({ url: server.url }).initialize();
  await asBefore();
});
afterEach(() => dataSource.destroy());

async function connect(): Promise<Client> {
  const client = new Client(server.url);
  await client.connect();
  return client;
}

/** The schema without the index, as an earlier version of the service has left it, with some animals. */
async function asBefore(): Promise<void> {
  await admin.query('drop schema public cascade; create schema public');
  await migrate(dataSource);
  await admin.query(`drop index ${INDEX}`);
  await admin.query('delete from schema_migrations where name = $1', [MIGRATION]);
  await admin.query(
    `insert into pets (name, category_id, status) select 'Pet ' || n, n % 7 + 1, 'sold' from generate_series(1, 5000) n`,
  );
}

const add = (client: Client): Promise<unknown> =>
  client.query(`insert into pets (name, category_id, status) values ('Rex', 1, 'sold')`);

async function isValid(): Promise<boolean | undefined> {
  const { rows } = await admin.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [INDEX],
  );
  return rows[0]?.valid;
}

/** Resolves when a session builds the index, and waits for a writer. */
function isBuilding(): Promise<void> {
  return soon(async () => {
    expect(await isValid()).toBe(false);
  }, 10_000);
}

describe('the index on the category', () => {
  it('is built while others write, and waits for those who had begun', async () => {
    const writer = await connect();
    await writer.query('begin');
    await add(writer);
    const migrating = migrate(dataSource);
    await isBuilding();
    // A plain `create index` would let nobody write from now on.
    await admin.query(`set lock_timeout = '2s'`);
    await add(admin);
    await admin.query('reset lock_timeout');
    expect(await isValid()).toBe(false);
    await writer.query('commit');
    await writer.end();
    expect(await migrating).toEqual([MIGRATION]);
    expect(await isValid()).toBe(true);
    expect(await migrate(dataSource)).toEqual([]);
  });

  it('is built once by instances that start together, also beside one of an earlier version', async () => {
    const writer = await connect();
    await writer.query('begin');
    await add(writer);
    const others = await Promise.all(
      Array.from({ length: 3 }, () => createDataSource({ url: server.url, poolSize: 1 }).initialize()),
    );
    const migrating = others.map((other) => migrate(other));
    await isBuilding();
    // What an earlier version does at its start: its lock must not be taken meanwhile.
    await admin.query('begin; select pg_advisory_xact_lock(7381955); commit');
    await writer.query('commit');
    await writer.end();
    expect((await Promise.all(migrating)).flat()).toEqual([MIGRATION]);
    expect(await isValid()).toBe(true);
    await Promise.all(others.map((other) => other.destroy()));
  });

  it('is built anew when an attempt was broken off', async () => {
    const writer = await connect();
    await writer.query('begin');
    await add(writer);
    const migrating = migrate(dataSource);
    const failed = expect(migrating).rejects.toThrow('canceling statement');
    await isBuilding();
    await admin.query('select pg_cancel_backend(pid) from pg_stat_progress_create_index');
    await failed;
    await writer.query('commit');
    await writer.end();
    expect(await isValid()).toBe(false);
    expect(await migrate(dataSource)).toEqual([MIGRATION]);
    expect(await isValid()).toBe(true);
  });

  it('may be built by hand before', async () => {
    await admin.query(`create index concurrently ${INDEX} on pets (category_id, status, id)`);
    expect(await migrate(dataSource)).toEqual([MIGRATION]);
    expect(await isValid()).toBe(true);
  });

  it('leaves the limits of the connection as they were', async () => {
    const hurried = await createDataSource({
      url: `${server.url}&statement_timeout=4321`,
      poolSize: 1,
    }).initialize();
    expect(await migrate(hurried)).toEqual([MIGRATION]);
    expect(await hurried.query('show statement_timeout')).toEqual([{ statement_timeout: '4321ms' }]);
    expect(await hurried.query(`select from pg_locks where locktype = 'advisory'`)).toEqual([]);
    await hurried.destroy();
  });

  it('is also made by a migrator that prepares nothing', async () => {
    const executor = new MigrationExecutor(dataSource);
    executor.transaction = 'all';
    expect((await executor.executePendingMigrations()).map(({ name }) => name)).toEqual([MIGRATION]);
    expect(await isValid()).toBe(true);
  });
});
