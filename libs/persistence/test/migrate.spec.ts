import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { createDataSource } from '../src/schema/data-source.js';
import { migrate } from '../src/schema/migrate.js';
import { MIGRATIONS } from '../src/schema/resources.js';

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

describe('migrate', () => {
  it('makes the schema that the row classes describe', async () => {
    await migrate(dataSource);
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('does nothing the second time', async () => {
    expect(await migrate(dataSource)).toEqual(names);
    expect(await migrate(dataSource)).toEqual([]);
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
    const hurried = await createDataSource({ url: `${server.url}&statement_timeout=50` }).initialize();
    const waiting = migrate(hurried);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await holder.commitTransaction();
    await holder.release();
    expect(await waiting).toEqual(names);
    await hurried.destroy();
  });

  it('leaves nothing behind when one change fails', async () => {
    class Broken1 implements MigrationInterface {
      readonly name = 'Broken9999999999999';
      async up(runner: QueryRunner): Promise<void> {
        await runner.query('create table half (id int)');
        await runner.query('select 1 / 0');
      }
      down = (): Promise<void> => Promise.resolve();
    }
    const broken = await new DataSource({
      ...dataSource.options,
      migrations: [...MIGRATIONS, Broken1],
    }).initialize();
    await expect(migrate(broken)).rejects.toThrow('division by zero');
    await broken.destroy();
    expect(await dataSource.query(`select tablename from pg_tables where schemaname = 'public'`)).toEqual([]);
    expect(await migrate(dataSource)).toEqual(names);
  });

  it('leaves a database alone that knows later changes', async () => {
    await migrate(dataSource);
    await dataSource.query(
      `insert into schema_migrations (timestamp, name) values (9999999999999, 'Later9999999999999')`,
    );
    expect(await migrate(dataSource)).toEqual([]);
  });

  it('refuses to go back', async () => {
    await migrate(dataSource);
    await expect(dataSource.undoLastMigration()).rejects.toThrow('only goes forward');
  });

  it('has changes whose names end in their time, oldest first', () => {
    const times = names.map((name) => /[0-9]{13}$/.exec(name)?.[0] ?? '');
    expect(times.every((time) => time !== '')).toBe(true);
    expect(times).toEqual([...times].sort());
  });
});
