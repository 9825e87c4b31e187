import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { waitFor } from '@petstore/testing';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { Database } from '../src/database/database.js';
import { ForwardOnly } from '../src/migrations/forward-only.js';
import { MIGRATIONS } from '../src/migrations/migrations.js';
import { createDataSource } from '../src/schema/data-source.js';
import { migrate } from '../src/schema/migrate.js';
import { PATIENT, startMigratedServer } from './test-database.js';

let server: TestPostgres;
let dataSource: DataSource;

beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());

beforeEach(async () => {
  dataSource = await createDataSource({ url: server.url }).initialize();
  await dataSource.query('drop schema public cascade; create schema public');
});
afterEach(() => dataSource.destroy());

const names = MIGRATIONS.map(({ name }) => name);

/** What a later release may bring. */
class NamePets9999999999998 extends ForwardOnly implements MigrationInterface {
  readonly name = 'NamePets9999999999998';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table pets add column call_name text');
    await runner.query('update pets set call_name = lower(name)');
  }
}

class Broken9999999999999 extends ForwardOnly implements MigrationInterface {
  readonly name = 'Broken9999999999999';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table half (id int)');
    await runner.query('select 1 / 0');
  }
}

describe('migrate', () => {
  it('makes the columns that the entities declare', async () => {
    await migrate(dataSource);
    for (const { tableName, columns } of dataSource.entityMetadatas) {
      const found = await dataSource.query<{ name: string; type: string }[]>(
        `select column_name as name, case data_type when 'ARRAY' then 'text' when 'timestamp with time zone' then 'timestamptz'
           else data_type end as type from information_schema.columns where table_name = $1`,
        [tableName],
      );
      const types = new Map(found.map(({ name, type }) => [name, type]));
      for (const { databaseName, type } of columns)
        expect([tableName, databaseName, types.get(databaseName)]).toEqual([tableName, databaseName, type]);
    }
  });

  it('is done once by instances that start together', async () => {
    const others = await Promise.all(
      Array.from({ length: 4 }, () => createDataSource({ url: server.url, poolSize: 2 }).initialize()),
    );
    const done = await Promise.all(others.map((other) => migrate(other)));
    await Promise.all(others.map((other) => other.destroy()));
    expect(done.flat()).toEqual(names);
  });

  it('waits for another instance longer than a statement may take', async () => {
    const holder = dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('select pg_advisory_xact_lock(7381955)');
    const hurried = await createDataSource({ url: `${server.url}&statement_timeout=500` }).initialize();
    const waiting = migrate(hurried);
    const waitsLonger = `select from pg_stat_activity where wait_event = 'advisory' and query_start < now() - interval '1 s'`;
    await waitFor(async () => (await dataSource.query<object[]>(waitsLonger)).length > 0);
    await holder.commitTransaction();
    await holder.release();
    expect(await waiting).toEqual(names);
    await hurried.destroy();
  });

  describe('of a database of the first release', () => {
    let next: DataSource;

    beforeEach(async () => {
      await migrate(dataSource);
      await dataSource.query(`insert into pets (name, category_id, status) values ('Rex', 1, 'sold')`);
      next = await new DataSource({
        ...dataSource.options,
        migrations: [...MIGRATIONS, NamePets9999999999998],
      }).initialize();
    });
    afterEach(() => next.destroy());

    const columnsOfPets = async (): Promise<unknown> =>
      dataSource.query(
        `select column_name from information_schema.columns where table_name = 'pets' and column_name = 'call_name'`,
      );

    it('adds what the next release brings, once, and keeps what is there', async () => {
      expect((await Promise.all([migrate(next), migrate(next)])).flat()).toEqual(['NamePets9999999999998']);
      expect(await dataSource.query('select name, call_name from pets')).toEqual([
        { name: 'Rex', call_name: 'rex' },
      ]);
      expect(await dataSource.query('select name from schema_migrations order by id')).toEqual(
        [...names, 'NamePets9999999999998'].map((name) => ({ name })),
      );
      // An instance of the first release that is still there, or is started again.
      expect(await migrate(dataSource)).toEqual([]);
    });

    it('leaves it as it was when one change fails, those before it included', async () => {
      const broken = await new DataSource({
        ...next.options,
        migrations: [...MIGRATIONS, NamePets9999999999998, Broken9999999999999],
      }).initialize();
      await expect(migrate(broken)).rejects.toThrow('division by zero');
      await broken.destroy();
      expect(await columnsOfPets()).toEqual([]);
      expect(await migrate(next)).toEqual(['NamePets9999999999998']);
      expect(await columnsOfPets()).toHaveLength(1);
    });
  });

  it('refuses to go back', async () => {
    await migrate(dataSource);
    await expect(dataSource.undoLastMigration()).rejects.toThrow('only goes forward');
  });
});

it('has made the database of the other tests', async () => {
  const copy = await startMigratedServer();
  const database = await Database.open({ url: copy.url, ...PATIENT });
  try {
    expect(await database.manager.query('select name from schema_migrations order by id')).toEqual(
      names.map((name) => ({ name })),
    );
    expect(await database.migrate()).toEqual([]);
    expect(await database.manager.query('select position, first from event_head')).toHaveLength(1);
  } finally {
    await database.close();
    await copy.stop();
  }
});
