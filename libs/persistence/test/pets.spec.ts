import { describe, expect, it } from '@jest/globals';
import { type CategoryId, type Pet, PetEvent, petJson, PetStatus } from '@petstore/pet-domain';
import {
  categoryOf,
  changePet,
  describePet,
  idOf,
  nameOf,
  profileOf,
  removePet,
  rex,
} from './pet-actions.js';
import { addDescribedPets } from '../src/pets/described-pets.js';
import { parseExact, TestDatabase } from './test-database.js';

const db = new TestDatabase();

const find = async (id: string): Promise<unknown> =>
  parseExact((await db.stores.pets.find(idOf(id))) ?? 'null');
const petsOf = (json: string): readonly Pet[] => parseExact(json) as readonly Pet[];

describe('pets that are created at once', () => {
  it('have ids of their own, a later one a greater, and are kept as they were given', async () => {
    const names = Array.from({ length: 350 }, (_, n) => nameOf(`${n} "\\ {,} ${n % 3}`));
    const created = await Promise.all(
      names.map((name, n) => db.stores.pets.create({ name, categoryId: categoryOf(n + 1), status: 'sold' })),
    );
    const ids = created.map(({ id }) => Number(id));
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    for (const [n, pet] of created.entries()) {
      expect(pet).toMatchObject({ name: names[n], categoryId: String(n + 1), status: 'sold' });
      expect(await find(pet.id)).toEqual(pet);
    }
  });

  it('are created but for one that the database refuses', async () => {
    const refused = { ...rex, categoryId: '0' as CategoryId };
    const [first, second, last] = await Promise.allSettled(
      [rex, refused, rex].map((pet) => db.stores.pets.create(pet)),
    );
    expect([first?.status, second?.status, last?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(second).toMatchObject({ reason: { code: '23514' } });
    expect(await db.count('pets')).toBe(2);
  });

  it('have the events of pets that are created alone, in the order of their ids', async () => {
    const together = await Promise.all(Array.from({ length: 20 }, () => db.stores.pets.create(rex)));
    await db.stores.unitOfWork.run(async (tx) => {
      tx.emit(...(await tx.pets.insert([rex])).map(PetEvent.created));
    });
    const events = await db.expectLaws();
    expect(events).toHaveLength(21);
    for (const { type, data } of events)
      expect({ type, data }).toEqual({ type: 'pet.created', data: { pet: { ...rex, id: data.pet.id } } });
    expect(events.slice(0, 20).map(({ data }) => data.pet.id)).toEqual(together.map(({ id }) => id));
  });
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
])('the table itself refuses %s', async (_what, values) => {
  const insert = db.query(`insert into pets (name, category_id, status) values (${values})`);
  await expect(insert).rejects.toMatchObject({ code: expect.stringMatching(/^23/) });
});

describe('lists that are asked for at the same time', () => {
  it('have what each of their callers has created', async () => {
    const caller = async (): Promise<void> => {
      for (let n = 0; n < 10; n++) {
        const created = await db.stores.pets.create(rex);
        const { json } = await db.stores.pets.list({ limit: 100 });
        expect(petsOf(json)).toContainEqual(created);
        expect(petsOf(await db.stores.pets.listByIds({ ids: [created.id] }))).toEqual([created]);
      }
    };
    await Promise.all(Array.from({ length: 10 }, caller));
  });

  it('are kept apart', async () => {
    await db.query(
      `insert into pets (name, category_id, status)
       select 'Pet ' || n, 1 + n % 3, (array['available', 'sold', 'pending'])[1 + n % 7 % 3]
       from generate_series(1, 90) n`,
    );
    const all = petsOf((await db.stores.pets.list({ limit: 100 })).json);
    const filters = [undefined, ...PetStatus.ALL].flatMap((status) =>
      [undefined, '1', '2', '3'].map((id) => ({
        status,
        categoryId: id === undefined ? id : categoryOf(id),
      })),
    );
    const idLists = [['2'], ['4'], ['4', '2'], ['5', '2'], ['999']].map((ids) => ids.map(idOf));
    const [pages, byIds] = await Promise.all([
      Promise.all(filters.map((filter) => db.stores.pets.list({ ...filter, limit: 100 }))),
      Promise.all(idLists.map((ids) => db.stores.pets.listByIds({ ids }))),
    ]);
    for (const [n, { status, categoryId }] of filters.entries())
      expect(petsOf(pages[n]?.json ?? '')).toEqual(
        all
          .filter((pet) => status === undefined || pet.status === status)
          .filter((pet) => categoryId === undefined || pet.categoryId === categoryId),
      );
    for (const [n, ids] of idLists.entries())
      expect(petsOf(byIds[n] ?? '')).toEqual(all.filter(({ id }) => ids.includes(id)));
  });
});

describe('changes of one pet at once', () => {
  it('all succeed, each with one event that has the state before it', async () => {
    const { id } = await db.stores.pets.create(rex);
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => changePet(db.stores, id, { name: nameOf(`Rex ${n}`) })),
    );
    expect(await db.expectLaws()).toHaveLength(41);
  });

  it('succeed up to its removal', async () => {
    const { id } = await db.stores.pets.create(rex);
    const change = (n: number): Promise<boolean> => changePet(db.stores, id, { name: nameOf(`Rex ${n}`) });
    const outcomes = await Promise.all([
      ...Array.from({ length: 10 }, (_, n) => change(n)),
      removePet(db.stores, id),
      ...Array.from({ length: 10 }, (_, n) => change(10 + n)),
    ]);
    expect(await removePet(db.stores, id)).toBe(false);
    const events = await db.expectLaws();
    expect(events.at(-1)?.type).toBe('pet.deleted');
    expect(events).toHaveLength(1 + outcomes.filter(Boolean).length);
  });
});

describe('profiles', () => {
  const dog = profileOf({ species: 'dog', description: 'Likes "water"\n\\o/ \u2028' });
  const cat = profileOf({ species: 'cat' });

  it('are those of their pets in every list, and of nothing else', async () => {
    const { pets } = db.stores;
    const [plain, described] = await Promise.all([pets.create(rex), pets.create(rex)]);
    expect(await describePet(db.stores, described.id, dog)).toBe(true);
    expect(await pets.findProfile(described.id)).toBe(dog);
    expect(await pets.findProfile(plain.id)).toBe('{}');
    expect(await pets.findProfile(idOf(999))).toBeUndefined();
    const filters = [{}, { status: rex.status }, { categoryId: rex.categoryId }];
    const all = [
      { ...(parseExact(petJson(described)) as object), profile: JSON.parse(dog) as unknown },
      plain,
    ];
    for (const filter of [...filters, { ...filters[1], ...filters[2] }]) {
      const { json } = await pets.list({ ...filter, limit: 2, withProfiles: true });
      expect(petsOf(json)).toEqual(all);
      const ids = [plain.id, described.id];
      expect(petsOf(await pets.listByIds({ ...filter, ids, withProfiles: true }))).toEqual(all);
      expect(petsOf((await pets.list({ ...filter, limit: 2 })).json)).toEqual([described, plain]);
    }
  });

  it('change one after the other, each with an event in the order of the pet’s others', async () => {
    const { id } = await db.stores.pets.create(rex);
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => [
        changePet(db.stores, id, { name: nameOf(`Rex ${n}`) }),
        describePet(db.stores, id, n % 2 === 0 ? dog : cat),
      ]).flat(),
    );
    await describePet(db.stores, id, profileOf({}));
    const events = await db.expectLaws();
    const last = events.filter(({ type }) => type === 'pet.profile_updated').at(-1);
    expect(last?.data).toMatchObject({ pet: { id }, profile: {} });
    expect(await db.count('pet_profiles')).toBe(0);
  });

  it('go with their pets', async () => {
    const { id } = await db.stores.pets.create(rex);
    await describePet(db.stores, id, dog);
    expect(await removePet(db.stores, id)).toBe(true);
    expect(await db.count('pet_profiles')).toBe(0);
    await db.expectLaws();
  });

  it('are added with their pets, each event right behind that of its pet', async () => {
    const pets = [{ pet: rex, profile: dog }, { pet: rex }, { pet: rex, profile: cat }];
    await db.stores.unitOfWork.run((tx) => addDescribedPets(tx, pets));
    const events = await db.expectLaws();
    expect(events.map(({ type, data }) => [type, data.pet.id])).toEqual(
      ['1 c', '1 p', '2 c', '3 c', '3 p'].map((event) => {
        const [id, kind] = event.split(' ');
        return [kind === 'c' ? 'pet.created' : 'pet.profile_updated', id];
      }),
    );
  });
});
