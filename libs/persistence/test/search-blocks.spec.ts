import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PetFilter } from '@petstore/pet-domain';
import type { TestPostgres } from '@petstore/test-servers';
import type { Client } from 'pg';
import { type DescribedPet, INSERT_PETS, describedValues } from '../src/pets/insert-pets.js';
import { petSearchQuery } from '../src/pets/pet-search.queries.js';
import { MixedAnimals } from './mixed-animals.js';
import { idOf } from './pet-actions.js';
import { explain, fastLaneSession, pagesOf } from './query-plan.js';
import { connect, startMigratedServer } from './test-database.js';

const ANIMALS = 100_000;
/** The others are like one of these. */
const DIFFERENT = 10_000;
const BATCH = 2_000;
const SEARCHES = 300;
/** Animals of one import: a twentieth of all. */
const NIGHT = 5_000;
/** Of a million animals 5,000: see `docs/performance.md`. Half of it are steps that do not grow with the table. */
const MOST_PAGES = 2_500;

let server: TestPostgres;
let session: Client;
beforeAll(async () => {
  server = await startMigratedServer();
  await fill();
  session = await fastLaneSession(server.url);
}, 300_000);
afterAll(async () => {
  await session.end();
  await server.stop();
});

async function add(filling: Client, count: number, make: () => DescribedPet): Promise<void> {
  await filling.query(INSERT_PETS, describedValues(Array.from({ length: count }, make)));
}

/** What of these searches reads too much, with the pages. */
async function tooMany(searches: readonly PetFilter[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const [n, filter] of searches.entries()) {
    const before = n % 3 === 0 ? idOf(1 + ((n * 7_919) % ANIMALS)) : undefined;
    const pages = pagesOf(await explain(session, petSearchQuery({ ...filter, before, limit: 20 })));
    if (pages > MOST_PAGES) found.push([pages, filter]);
  }
  return found;
}

/** Indexes are made behind the rows, which takes a tenth of the time. */
async function fill(): Promise<void> {
  const filling = await connect(server.url);
  const indexes = await filling.query<{ indexdef: string }>(
    `select indexdef from pg_indexes where indexname in ('pets_traits', 'pet_profiles_words')`,
  );
  await filling.query(`set maintenance_work_mem = '512MB'`);
  await filling.query('drop index pets_traits, pet_profiles_words');
  const animals = new MixedAnimals(1);
  for (let done = 0; done < DIFFERENT; done += BATCH) await add(filling, BATCH, () => animals.animal());
  for (let done = DIFFERENT; done < ANIMALS; done += DIFFERENT)
    await filling.query(
      `with pet as (
         insert into pets (name, category_id, status, traits)
         select name, category_id, status, traits from pets where id <= $1 order by id returning id
       )
       insert into pet_profiles (pet_id, profile, words, updated_at)
       select pet_id + $2::int, profile, words, updated_at from pet_profiles where pet_id <= $1`,
      [DIFFERENT, done],
    );
  for (const { indexdef } of indexes.rows) await filling.query(indexdef);
  await filling.end();
}

describe('a search', () => {
  const samples = new MixedAnimals(2);
  const searches = (count: number): PetFilter[] => Array.from({ length: count }, () => samples.search());

  it('reads few pages, whatever is searched, before and after the tables are analyzed', async () => {
    expect(await tooMany(searches(SEARCHES / 2))).toEqual([]);
    await session.query('vacuum analyze pets, pet_profiles');
    expect(await tooMany(searches(SEARCHES / 2))).toEqual([]);
  }, 120_000);

  it.each<[string, PetFilter, pages: number]>([
    ['a common one', { status: 'available', sex: ['male'] }, 250],
    ['a contradiction', { sex: ['male'], mixedBreed: true, categoryId: '77' as never }, 600],
  ])('reads for %s not more than its steps', async (_what, filter, pages) => {
    expect(pagesOf(await explain(session, petSearchQuery({ ...filter, limit: 20 })))).toBeLessThan(pages);
  });

  it('reads few pages after a night that has brought one kind alone, of which the index and the planner know nothing yet', async () => {
    const filling = await connect(server.url);
    const night = new MixedAnimals(3);
    for (let done = 0; done < NIGHT; done += 100) await add(filling, 100, () => night.animal('horse'));
    await filling.end();
    expect(await tooMany(searches(SEARCHES / 3))).toEqual([]);
  }, 120_000);
});
