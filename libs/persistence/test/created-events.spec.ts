import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CategoryId, type NewPet, petJson, PetName, PetStatus } from '@petstore/pet-domain';
import { anyCharacter } from '@petstore/arbitraries';
import fc from 'fast-check';
import { known } from '../src/testing/known.js';
import { Feed } from './feed.js';

let feed: Feed;

beforeAll(async () => {
  feed = await Feed.start();
});
afterAll(() => feed.stop());
beforeEach(() => feed.reset());

/** What has a meaning in SQL, in array literals or in JSON, and characters of every length. */
const character = fc.oneof(
  fc.constantFrom('"', '\\', "'", '{', '}', ',', '$', 'E', 'u0022', '\u2028', '\u00a0', 'é', '🐕'),
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }),
);
const name = fc
  .array(character, { minLength: 1, maxLength: 60 })
  .map((characters) => PetName.parse(characters.join('')))
  .filter((parsed) => parsed !== undefined);
const newPet = fc.record({
  name,
  categoryId: fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }).map((id) => known(CategoryId.parse(String(id)))),
  status: fc.constantFrom(...PetStatus.ALL),
});

/** What stands in the outbox, in its order. */
async function told(): Promise<readonly string[]> {
  const { rows } = await feed.admin.query<{ data: string }>(
    `select data from outbox where type = 'pet.created' order by id`,
  );
  return rows.map(({ data }) => data);
}

describe('the event of a new animal', () => {
  it.each<[string, (pets: readonly NewPet[]) => Promise<readonly { id: string }[]>]>([
    ['one statement', (pets) => Promise.all(pets.map((pet) => feed.database.pets.add(pet)))],
    [
      'a transaction',
      (pets) =>
        feed.database.unitOfWork.run(async (transaction) => {
          const added = [];
          for (const pet of pets) added.push(await feed.database.pets.add(pet, transaction));
          return added;
        }),
    ],
  ])('holds the JSON that readers of the animal get, byte for byte, in %s', async (_, add) => {
    await fc.assert(
      fc.asyncProperty(fc.array(newPet, { minLength: 1, maxLength: 20 }), async (pets) => {
        await feed.reset();
        const added = await add(pets);
        const expected = added.map(({ id }, at) => `{"pet":${petJson({ id, ...pets[at] } as never)}}`);
        expect(await told()).toEqual(expected);
        const read = await Promise.all(added.map(({ id }) => feed.database.pets.find(id as never)));
        expect(read.map((json) => `{"pet":${Buffer.from(json ?? []).toString()}}`)).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });
});
