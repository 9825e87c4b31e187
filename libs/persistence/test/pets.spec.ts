import { expect, it } from '@jest/globals';
import { type CategoryId, type Pet, PetEvent, PetStatus } from '@petstore/pet-domain';
import { addDescribedPets } from '../src/pets/described-pets.js';
import { categoryOf, changePet, describePet, idOf, nameOf, profileOf, rex } from './pet-actions.js';
import { parseExact, TestDatabase } from './test-database.js';

const db = new TestDatabase();

const petsOf = (json: string): readonly Pet[] => parseExact(json) as readonly Pet[];

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => Number(a.id) - Number(b.id);

it('pets that are created at once are created but for one that the database refuses', async () => {
  const refused = { ...rex, categoryId: '0' as CategoryId };
  const [first, second, last] = await Promise.allSettled(
    [rex, refused, rex].map((pet) => db.stores.pets.create(pet)),
  );
  expect([first?.status, second?.status, last?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(second).toMatchObject({ reason: { code: '23514' } });
  expect(await db.count('pets')).toBe(2);
});

it('pets that are created at once have the events of pets that are created alone', async () => {
  // More than one statement takes.
  const wanted = Array.from({ length: 150 }, (_, n) => ({ ...rex, name: nameOf(`${n} "\\ {,}`) }));
  const together = await Promise.all(wanted.map((pet) => db.stores.pets.create(pet)));
  const alone = await db.stores.unitOfWork.run(async (tx) => {
    const pets = await tx.pets.insert([{ pet: rex }]);
    tx.emit(...pets.map(PetEvent.created));
    return pets;
  });
  const events = await db.expectLaws();
  expect(events.map(({ data }) => data.pet).sort(byId)).toEqual([...together, ...alone].sort(byId));
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['pet.created']));
});

it('lists that are asked for at the same time have what each of their callers has created', async () => {
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

it('lists that are asked for at the same time are kept apart', async () => {
  await db.query(
    `insert into pets (name, category_id, status)
     select 'Pet ' || n, 1 + n % 3, (array['available', 'sold', 'pending'])[1 + n % 7 % 3]
     from generate_series(1, 90) n`,
  );
  const all = petsOf((await db.stores.pets.list({ limit: 100 })).json);
  const filters = [undefined, ...PetStatus.ALL].flatMap((status) =>
    [undefined, categoryOf(1), categoryOf(2)].map((categoryId) => ({ status, categoryId })),
  );
  const idLists = [['2'], ['4'], ['4', '2'], ['5', '2'], ['999']].map((ids) => ids.map(idOf));
  const [pages, byIds] = await Promise.all([
    Promise.all(filters.map((filter) => db.stores.pets.list({ ...filter, limit: 100 }))),
    Promise.all(idLists.map((ids) => db.stores.pets.listByIds({ ids }))),
  ]);
  expect(pages.map(({ json }) => petsOf(json))).toEqual(
    filters.map(({ status, categoryId }) =>
      all.filter(
        (pet) => (status ?? pet.status) === pet.status && (categoryId ?? pet.categoryId) === pet.categoryId,
      ),
    ),
  );
  expect(byIds.map(petsOf)).toEqual(idLists.map((ids) => all.filter(({ id }) => ids.includes(id))));
});

it('changes of one pet and its profile at once all succeed, each with one event that has the state before it', async () => {
  const { id } = await db.stores.pets.create(rex);
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => [
      changePet(db.stores, id, { name: nameOf(`Rex ${n}`) }),
      describePet(db.stores, id, profileOf({ species: 'dog', description: `${n} \u2028` })),
    ]).flat(),
  );
  await describePet(db.stores, id, profileOf({}));
  const events = await db.expectLaws();
  expect(events).toHaveLength(42);
  expect(events.at(-1)).toMatchObject({ type: 'pet.profile_updated', data: { pet: { id }, profile: {} } });
  expect(await db.count('pet_profiles')).toBe(0);
});

it('profiles are added with their pets, each event right behind that of its pet', async () => {
  const profile = profileOf({ species: 'cat' });
  await db.stores.unitOfWork.run((tx) =>
    addDescribedPets(tx, [{ pet: rex, profile }, { pet: rex }, { pet: rex, profile }]),
  );
  const events = await db.expectLaws();
  expect(events.map(({ type, data }) => `${type} ${data.pet.id}`)).toEqual([
    ...['pet.created 1', 'pet.profile_updated 1', 'pet.created 2'],
    ...['pet.created 3', 'pet.profile_updated 3'],
  ]);
});
