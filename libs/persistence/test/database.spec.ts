import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CategoryId, PetId, PetName, StoreUnavailableError } from '@petstore/pet-domain';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import { createDataSource } from '../src/schema/data-source.js';
import { StoredPets } from '../src/testing/stored-pets.js';
import { known } from '../src/testing/known.js';
import { soon } from './soon.js';
import { Stores } from './stores.js';
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

describe('a database', () => {
  it('gives the stores over a migrated database', async () => {
    const stores = await Stores.open({ url: server.url });
    await stores.database.migrate();
    await stores.database.ping();
    const added = await stores.pets.create(pet);
    expect(await new StoredPets(stores.pets).find(added.id)).toEqual(added);
    await stores.close();
  });

  it('says which migrations the schema lacks, and how its pool stands', async () => {
    const stores = await Stores.open({ url: server.url });
    await stores.database.migrate();
    expect(await stores.database.missingMigrations()).toEqual([]);
    expect(stores.database.poolStats()).toEqual({ total: 7, idle: 7, waiting: 0 });
    const admin = await createDataSource({ url: server.url }).initialize();
    await admin.query(`update schema_migrations set name = 'away' where name = 'InitialSchema1795478400000'`);
    expect(await stores.database.missingMigrations()).toEqual(['InitialSchema1795478400000']);
    await admin.query(`update schema_migrations set name = 'InitialSchema1795478400000' where name = 'away'`);
    await admin.destroy();
    await stores.close();
  });

  it('refuses a database that does not keep its text in UTF-8, and says how to make one', async () => {
    const admin = await createDataSource({ url: server.url }).initialize();
    await admin.query(
      `create database latin encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`,
    );
    await admin.destroy();
    await expect(Stores.open({ url: server.url.replace('/postgres?', '/latin?') })).rejects.toMatchObject({
      name: 'DatabaseStartError',
      message: expect.stringContaining('The database latin has the encoding LATIN1, and UTF8 is needed.'),
    });
  });

  it('names its sessions', async () => {
    const stores = await Stores.open({ url: server.url, applicationName: 'petstore-test' });
    await stores.database.migrate();
    await Promise.all([stores.pets.find(ONE), stores.pets.create(pet)]);
    const admin = await createDataSource({ url: server.url }).initialize();
    const [row] = await admin.query<{ n: string }[]>(
      `select count(*) as n from pg_stat_activity where application_name = 'petstore-test'`,
    );
    expect(row?.n).toBe('7');
    expect(stores.database.poolStats()).toEqual({ total: 7, idle: 7, waiting: 0 });
    await admin.destroy();
    await stores.close();
  });

  it('rejects when nobody listens at the address', async () => {
    await expect(Stores.open({ url: 'postgresql://petstore@127.0.0.1:1/postgres' })).rejects.toThrow(
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
    const stores = await Stores.open({ url: line.url });
    await stores.database.migrate();
    const added = await stores.pets.create(pet);
    line.cut();
    for (const call of [
      () => stores.pets.list({ limit: 1 }),
      () => stores.pets.create(pet),
      () => stores.pets.find(ONE),
    ]) {
      const failure: unknown = await call().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StoreUnavailableError);
      expect((failure as Error).cause).toBeInstanceOf(Error);
    }
    await expect(stores.database.ping()).rejects.toThrow();
    await line.restore();
    const found = await soon(() => new StoredPets(stores.pets).find(added.id));
    expect(found).toEqual(added);
    await stores.close();
  });

  it('tells of connections that broke while nobody used them', async () => {
    const broke = new Promise<Error>((resolve) => {
      void Stores.open({ url: line.url, onIdleError: resolve }).then(async (stores) => {
        await stores.database.ping();
        line.cut();
        await broke;
        await stores.close();
      });
    });
    expect((await broke).message).toBe('Connection terminated unexpectedly');
  });

  it('passes every other error on as it is', async () => {
    const dataSource = await createDataSource({ url: server.url }).initialize();
    const stores = await Stores.open({ url: server.url });
    await dataSource.query('alter table pets rename to hidden');
    await expect(stores.pets.find(ONE)).rejects.toMatchObject({ code: '42P01' });
    await dataSource.query('alter table hidden rename to pets');
    await stores.close();
    await dataSource.destroy();
  });
});
