import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CategoryId, PetId, PetName, StoreUnavailableError } from '@petstore/pet-domain';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { createDataSource } from '../src/schema/data-source.js';
import { openDatabase } from '../src/database/database.js';
import { StoredPets } from '../src/testing/stored-pets.js';
import { known } from '../src/testing/known.js';
import { soon } from './soon.js';
import { type CuttableWire, cuttableWire } from './cuttable-wire.js';

let server: TestPostgres;

beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());

const pet = {
  name: known(PetName.parse('Rex')),
  categoryId: known(CategoryId.parse('1')),
  status: 'available',
} as const;
const ONE = known(PetId.parse('1'));

describe('openDatabase', () => {
  it('gives the stores over a migrated database', async () => {
    const database = await openDatabase({ url: server.url });
    await database.migrate();
    await database.ping();
    const added = await database.pets.add(pet);
    expect(await new StoredPets(database.pets).find(added.id)).toEqual(added);
    await database.close();
  });

  it('says which migrations the schema lacks, and how its pool stands', async () => {
    const database = await openDatabase({ url: server.url });
    await database.migrate();
    expect(await database.missingMigrations()).toEqual([]);
    expect(database.poolStats()).toEqual({ total: 1, idle: 1, waiting: 0 });
    const admin = await createDataSource({ url: server.url }).initialize();
    await admin.query(`update schema_migrations set name = 'away' where name = 'InitialSchema1795478400000'`);
    expect(await database.missingMigrations()).toEqual(['InitialSchema1795478400000']);
    await admin.query(`update schema_migrations set name = 'InitialSchema1795478400000' where name = 'away'`);
    await admin.destroy();
    await database.close();
  });

  it('refuses a database that does not keep its text in UTF-8, and says how to make one', async () => {
    const admin = await createDataSource({ url: server.url }).initialize();
    await admin.query(
      `create database latin encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`,
    );
    await admin.destroy();
    await expect(openDatabase({ url: server.url.replace('/postgres?', '/latin?') })).rejects.toMatchObject({
      name: 'DatabaseStartError',
      message: expect.stringContaining('The database latin has the encoding LATIN1, and UTF8 is needed.'),
    });
  });

  it('names its sessions', async () => {
    const database = await openDatabase({ url: server.url, applicationName: 'petstore-test' });
    await database.migrate();
    await Promise.all([database.pets.find(ONE), database.pets.add(pet)]);
    const admin = await createDataSource({ url: server.url }).initialize();
    const [row] = await admin.query<{ n: string }[]>(
      `select count(*) as n from pg_stat_activity where application_name = 'petstore-test'`,
    );
    expect(row?.n).toBe('3');
    expect(database.poolStats()).toEqual({ total: 3, idle: 3, waiting: 0 });
    await admin.destroy();
    await database.close();
  });

  it('rejects when nobody listens at the address', async () => {
    await expect(openDatabase({ url: 'postgresql://petstore@127.0.0.1:1/postgres' })).rejects.toThrow(
      'ECONNREFUSED',
    );
  });
});

describe('a database that becomes unavailable', () => {
  let line: CuttableWire;

  beforeEach(async () => {
    line = await cuttableWire(server.url);
  });
  afterEach(() => {
    line.close();
  });

  it('makes every method of the store reject with StoreUnavailableError, and comes back by itself', async () => {
    const database = await openDatabase({ url: line.url });
    await database.migrate();
    const added = await database.pets.add(pet);
    line.cut();
    for (const call of [
      () => database.pets.list({ limit: 1 }),
      () => database.pets.add(pet),
      () => database.pets.find(ONE),
    ]) {
      const failure: unknown = await call().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StoreUnavailableError);
      expect((failure as Error).cause).toBeInstanceOf(Error);
    }
    await expect(database.ping()).rejects.toThrow();
    await line.restore();
    const found = await soon(() => new StoredPets(database.pets).find(added.id));
    expect(found).toEqual(added);
    await database.close();
  });

  it('tells of connections that broke while nobody used them', async () => {
    const broke = new Promise<Error>((resolve) => {
      void openDatabase({ url: line.url, onIdleError: resolve }).then(async (database) => {
        await database.ping();
        line.cut();
        await broke;
        await database.close();
      });
    });
    expect((await broke).message).toBe('Connection terminated unexpectedly');
  });

  it('passes every other error on as it is', async () => {
    const dataSource = await createDataSource({ url: server.url }).initialize();
    const database = await openDatabase({ url: server.url });
    await dataSource.query('alter table pets rename to hidden');
    await expect(database.pets.find(ONE)).rejects.toMatchObject({ code: '42P01' });
    await dataSource.query('alter table hidden rename to pets');
    await database.close();
    await dataSource.destroy();
  });
});
