import { readdir, readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { waitFor } from '@petstore/testing';
import { DataSource, EntitySchema } from 'typeorm';
import { fingerprints, MIGRATIONS } from '../src/migrations/migrations.js';
import { SqlMigration } from '../src/migrations/sql-migration.js';
import { createDataSource } from '../src/schema/data-source.js';
import { ENTITIES } from '../src/schema/entities.js';
import { ForeignSchemaError } from '../src/connection/database-errors.js';
import { migrate, schemaState } from '../src/schema/migrate.js';

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
class NamePets9999999999998 extends SqlMigration {
  readonly name = 'NamePets9999999999998';
  protected readonly statements = [
    'alter table pets add column call_name text',
    'update pets set call_name = lower(name)',
  ];
}

class Broken9999999999999 extends SqlMigration {
  readonly name = 'Broken9999999999999';
  protected readonly statements = ['create table half (id int)', 'select 1 / 0'];
}

/** Another state of {@link NamePets9999999999998}. */
class NamePetsOtherwise extends SqlMigration {
  readonly name = 'NamePets9999999999998';
  protected readonly statements = ['alter table pets add column call_name varchar(10)'];
}

/** What the files of src with such names export, by file and name. */
async function exportsOf(files: RegExp): Promise<[name: string, value: unknown][]> {
  const source = new URL('../src/', import.meta.url);
  const names = (await readdir(source, { recursive: true })).filter((name) => files.test(name));
  const modules = names.map(async (name) => {
    const exported = (await import(new URL(name, source).href)) as object;
    return Object.entries(exported).map(([key, value]): [string, unknown] => [
      `${key} of src/${name}`,
      value,
    ]);
  });
  return (await Promise.all(modules)).flat();
}

describe('the lists of what TypeORM is told', () => {
  it.each([
    ['src/schema/entities.ts', /\.schema\.ts$/, (value: unknown) => value instanceof EntitySchema, ENTITIES],
    [
      'src/migrations/migrations.ts',
      /^migrations\/\d/,
      (value: unknown) => typeof value === 'function',
      MIGRATIONS,
    ],
  ])('of %s is complete', async (_, files, isListed, list: readonly unknown[]) => {
    const all = (await exportsOf(files)).filter(([, value]) => isListed(value));
    expect(all.length).toBeGreaterThan(0);
    expect(all.flatMap(([name, value]) => (list.includes(value) ? [] : [name]))).toEqual([]);
  });
});

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

  it('of a database of the first release adds what the next one brings, once, or nothing if one change fails', async () => {
    await migrate(dataSource);
    await dataSource.query(`insert into pets (name, category_id, status) values ('Rex', 1, 'sold')`);
    const open = (...later: (new () => SqlMigration)[]): Promise<DataSource> =>
      new DataSource({ ...dataSource.options, migrations: [...MIGRATIONS, ...later] }).initialize();
    const [next, broken] = [
      await open(NamePets9999999999998),
      await open(NamePets9999999999998, Broken9999999999999),
    ];
    await expect(migrate(broken)).rejects.toThrow('division by zero');
    expect((await Promise.all([migrate(next), migrate(next)])).flat()).toEqual(['NamePets9999999999998']);
    expect(await dataSource.query('select name, call_name from pets')).toEqual([
      { name: 'Rex', call_name: 'rex' },
    ]);
    // An instance of the first release that is still there, or is started again.
    expect(await migrate(dataSource)).toEqual([]);
    await expect(next.undoLastMigration()).rejects.toThrow('only goes forward');
    await Promise.all([next.destroy(), broken.destroy()]);
  });

  it('refuses a database that another text of a migration has made, and changes nothing in it', async () => {
    const open = (...later: (new () => SqlMigration)[]): Promise<DataSource> =>
      new DataSource({ ...dataSource.options, migrations: [...MIGRATIONS, ...later] }).initialize();
    const [next, other] = [
      await open(NamePets9999999999998),
      await open(NamePetsOtherwise, Broken9999999999999),
    ];
    await migrate(next);
    expect(await schemaState(next)).toEqual({ missing: [], isForeign: false });
    // This one knows fewer migrations.
    expect(await schemaState(dataSource)).toEqual({ missing: [], isForeign: false });
    expect(await schemaState(other)).toEqual({ missing: ['Broken9999999999999'], isForeign: true });
    await expect(migrate(other)).rejects.toThrow(ForeignSchemaError);
    expect(await schemaState(next)).toEqual({ missing: [], isForeign: false });
    await Promise.all([next.destroy(), other.destroy()]);
  });

  it.each([
    ['one that was made before texts were noted', 'alter table schema_migrations drop column fingerprint'],
    ['a migration without a noted text', 'update schema_migrations set fingerprint = null'],
  ])('refuses %s', async (_what, change) => {
    await migrate(dataSource);
    await dataSource.query(change);
    await expect(migrate(dataSource)).rejects.toThrow(ForeignSchemaError);
  });
});

describe('a release', () => {
  /** Names of released migrations that are another text by now, or are gone. */
  const changedOf = (released: Readonly<Record<string, string>>): string[] =>
    Object.keys(released).filter((name) => fingerprints()[name] !== released[name]);

  it('keeps the text of its migrations for good', async () => {
    // Written by `npm run release`; there is none before the first one.
    const file = new URL('../../../docs/released/migrations.json', import.meta.url);
    const released = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Record<string, string>;
    expect(changedOf(released)).toEqual([]);
    expect(changedOf({ ...fingerprints(), [names[0] ?? '']: 'other', Removed1: 'x' })).toEqual([
      names[0],
      'Removed1',
    ]);
  });
});
