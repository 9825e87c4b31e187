import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CategoryId, type NewPet, PetId, PetName, PetStatus } from '@petstore/pet-domain';
import type { TestPostgres } from '@petstore/test-servers';
import { anyCharacter } from '@petstore/arbitraries';
import fc from 'fast-check';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../src/schema/data-source.js';
import { Stores } from './stores.js';
import type { PetStore } from '../src/pets/pet.store.js';
import { known } from '../src/testing/known.js';
import { StoredPets } from '../src/testing/stored-pets.js';
import { startMigratedServer } from './migrated-server.js';

let server: TestPostgres;
let dataSource: DataSource;
let stores: Stores;
let store: PetStore;
let stored: StoredPets;

beforeAll(async () => {
  server = await startMigratedServer();
  dataSource = await createDataSource({ url: server.url }).initialize();
  stores = await Stores.open({ url: server.url });
  store = stores.pets;
  stored = new StoredPets(store);
});

afterAll(async () => {
  await stores.close();
  await dataSource.destroy();
  await server.stop();
});

beforeEach(() => dataSource.query('truncate pets restart identity'));

function newPet(name = 'Rex', status: PetStatus = 'available', categoryId = '1'): NewPet {
  return { name: known(PetName.parse(name)), categoryId: known(CategoryId.parse(categoryId)), status };
}

const id = (text: string): PetId => known(PetId.parse(text));

describe('add and find', () => {
  it('keeps an animal as it was given and gives it an id', async () => {
    const added = await store.create(newPet('Ä 🐕‍🦺 \u202e', 'sold', '42'));
    expect(added).toEqual({ id: '1', name: 'Ä 🐕‍🦺 \u202e', status: 'sold', categoryId: '42' });
    expect(await stored.find(added.id)).toEqual(added);
  });

  it('gives each of many that are added at once its own id, a later one a greater', async () => {
    const names = Array.from({ length: 350 }, (_, i) => `${i} "\\ {,} ${i % 3}`);
    const added = await Promise.all(
      names.map((name, i) => store.create(newPet(name, 'sold', String(i + 1)))),
    );
    const ids = added.map((pet) => BigInt(pet.id));
    expect(ids).toEqual([...ids].sort((a, b) => (a < b ? -1 : 1)));
    expect(new Set(ids).size).toBe(names.length);
    for (const [i, pet] of added.entries()) {
      expect(pet).toMatchObject({ name: names[i], categoryId: String(i + 1), status: 'sold' });
      expect(await stored.find(pet.id)).toEqual(pet);
    }
  });

  it('adds all others when the database refuses one of those that are added at once', async () => {
    const refused = { ...newPet('Nobody'), categoryId: '0' as CategoryId };
    const additions = [newPet('First'), refused, newPet('Last')].map((pet) => store.create(pet));
    const [first, second, last] = await Promise.allSettled(additions);
    expect([first?.status, second?.status, last?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(second).toMatchObject({ reason: { code: '23514' } });
    const { pets } = await stored.list({ limit: 10 });
    expect(pets.map(({ name }) => name).sort()).toEqual(['First', 'Last']);
  });

  it('finds an animal with the greatest id', async () => {
    await dataSource.query(
      `insert into pets (id, name, category_id, status) overriding system value values (9223372036854775807, 'Omega', 1, 'sold')`,
    );
    expect((await stored.find(id('9223372036854775807')))?.id).toBe('9223372036854775807');
  });

  it('takes every name of the domain and returns it unchanged', async () => {
    const unit = fc.oneof(
      fc.string({ unit: anyCharacter, minLength: 1, maxLength: 20 }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 255 }),
    );
    const names = unit.filter((text) => PetName.parse(text) !== undefined);
    await fc.assert(
      fc.asyncProperty(names, async (name) => {
        const added = await store.create(newPet(name));
        expect((await stored.find(added.id))?.name).toBe(name);
      }),
      { numRuns: 200 },
    );
  });

  it('takes a name of 255 characters that need two code units each', async () => {
    const name = '🐈'.repeat(255);
    expect((await store.create(newPet(name))).name).toBe(name);
  });

  it.each([
    ['an empty name', "'', 1, 'sold'"],
    ['a name of 256 characters', "repeat('x', 256), 1, 'sold'"],
    ['a control character in the name', "E'a\\x1fb', 1, 'sold'"],
    ['DEL in the name', "E'a\\x7fb', 1, 'sold'"],
    ['white space for a name', "E' \\t ', 1, 'sold'"],
    ['category 0', "'Rex', 0, 'sold'"],
    ['an unknown status', "'Rex', 1, 'lost'"],
    ['no status', "'Rex', 1, null"],
  ])('refuses %s in the table itself', async (_what, values) => {
    await expect(
      dataSource.query(`insert into pets (name, category_id, status) values (${values})`),
    ).rejects.toMatchObject({ code: expect.stringMatching(/^23/) });
  });
});

describe('list', () => {
  it('shows everybody what they have added, also when many ask for the same page at once', async () => {
    const caller = async (): Promise<void> => {
      for (let n = 0; n < 10; n++) {
        const added = await store.create(newPet());
        const { pets } = await stored.list({ limit: 100 });
        expect(pets).toContainEqual(added);
      }
    };
    await Promise.all(Array.from({ length: 10 }, caller));
  });
});
