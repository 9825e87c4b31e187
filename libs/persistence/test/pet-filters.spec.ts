import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CategoryId,
  INT64_MAX,
  type Pet,
  type PetFilter,
  PetId,
  PetName,
  PetStatus,
} from '@petstore/pet-domain';
import type { TestPostgres } from '@petstore/test-servers';
import fc from 'fast-check';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../src/schema/data-source.js';
import { Stores } from './stores.js';
import { known } from '../src/testing/known.js';
import { StoredPets } from '../src/testing/stored-pets.js';
import { startMigratedServer } from './migrated-server.js';

let server: TestPostgres;
let dataSource: DataSource;
let stores: Stores;
let stored: StoredPets;

beforeAll(async () => {
  server = await startMigratedServer();
  dataSource = await createDataSource({ url: server.url }).initialize();
  stores = await Stores.open({ url: server.url });
  stored = new StoredPets(stores.pets);
  // Categories 1 to 3, of which 3 has no pending animals; 4 is empty. Ids have gaps, and one is the greatest there is.
  await dataSource.query(
    `insert into pets (id, name, category_id, status) overriding system value
     select 2 * n, 'Pet "' || n, c, case when c = 3 and s = 'pending' then 'sold' else s end
     from (select n, 1 + n * n % 11 % 3 as c, (array['available', 'sold', 'sold', 'pending'])[1 + n * n % 7 % 4] as s
           from generate_series(1, 200) n) p
     union all select 9223372036854775807, 'Omega', 9223372036854775807, 'sold'`,
  );
});
afterAll(async () => {
  await stores.close();
  await dataSource.destroy();
  await server.stop();
});

const id = (value: number | string): PetId => known(PetId.parse(String(value)));
const category = (value: number | string): CategoryId => known(CategoryId.parse(String(value)));

const filter: fc.Arbitrary<PetFilter> = fc.record({
  status: fc.option(fc.constantFrom(...PetStatus.ALL), { nil: undefined }),
  categoryId: fc.option(fc.constantFrom(1, 2, 3, 4, INT64_MAX).map(category), { nil: undefined }),
});

/** What plain SQL finds, newest first. */
async function found({ status, categoryId }: PetFilter, condition: string, value: unknown): Promise<Pet[]> {
  return dataSource.query<Pet[]>(
    `select id, name, category_id as "categoryId", status from pets
     where ($1::text is null or status = $1) and ($2::bigint is null or category_id = $2) and ${condition}
     order by id desc`,
    [status, categoryId, value],
  );
}

describe('list', () => {
  it('gives what plain SQL gives, whatever is asked', async () => {
    const position = fc.option(fc.oneof(fc.integer({ min: 1, max: 420 }), fc.constant(INT64_MAX)).map(id), {
      nil: undefined,
    });
    const limit = fc.integer({ min: 1, max: 100 });
    await fc.assert(
      fc.asyncProperty(limit, filter, position, async (limit, filter, before) => {
        const pets = await found(filter, '($3::bigint is null or id < $3)', before);
        expect(await stored.list({ ...filter, limit, before })).toEqual({
          pets: pets.slice(0, limit),
          more: pets.length > limit,
        });
      }),
      { numRuns: 300 },
    );
  });

  it('reads a category page by page without a repeat or a gap', async () => {
    for (const status of [undefined, ...PetStatus.ALL]) {
      const read: Pet[] = [];
      for (let more = true; more;) {
        const before = read.at(-1)?.id;
        const page = await stored.list({ limit: 7, categoryId: category(3), status, before });
        read.push(...page.pets);
        more = page.more;
      }
      expect(read).toEqual(await found({ status, categoryId: category(3) }, '$3::text is null', null));
    }
  });

  it('keeps lists apart that are asked for at the same time', async () => {
    const filters = [undefined, ...PetStatus.ALL].flatMap((status) =>
      [undefined, 1, 2, 3].map((n) => ({ status, categoryId: n === undefined ? n : category(n) })),
    );
    const pages = await Promise.all(filters.map((filter) => stored.list({ ...filter, limit: 100 })));
    for (const [i, filter] of filters.entries()) {
      expect(pages[i]?.pets).toEqual((await found(filter, '$3::text is null', null)).slice(0, 100));
    }
  });
});

describe('listByIds', () => {
  it('gives what plain SQL gives, whatever is asked', async () => {
    const ids = fc.uniqueArray(fc.oneof(fc.integer({ min: 1, max: 420 }), fc.constant(INT64_MAX)).map(id), {
      minLength: 1,
      maxLength: 100,
    });
    await fc.assert(
      fc.asyncProperty(ids, filter, async (ids, filter) => {
        expect(await stored.listByIds({ ...filter, ids })).toEqual(
          await found(filter, 'id = any($3::bigint[])', ids),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('is an empty array when none is found', async () => {
    expect(await stored.listByIds({ ids: [id(1), id(999)] })).toEqual([]);
  });

  it('keeps questions apart that are asked at the same time', async () => {
    const [two, four] = [id(2), id(4)];
    const asked = [[two], [four], [two, four], [four, two], [id(1)]];
    const [first, second, ...rest] = await Promise.all(asked.map((ids) => stored.listByIds({ ids })));
    expect(first?.map((pet) => pet.id)).toEqual(['2']);
    expect(second?.map((pet) => pet.id)).toEqual(['4']);
    expect(rest.map((pets) => pets.map((pet) => pet.id))).toEqual([['4', '2'], ['4', '2'], []]);
    expect(await Promise.all([stored.find(two), stored.list({ limit: 2 })])).toMatchObject([
      { id: '2' },
      { more: true },
    ]);
  });

  it('shows everybody what they have added, also when many ask for the same animals at once', async () => {
    const name = known(PetName.parse('Rex'));
    const added = await stores.pets.create({ name, categoryId: category(9), status: 'sold' });
    const callers = Array.from({ length: 10 }, () => stored.listByIds({ ids: [added.id] }));
    for (const pets of await Promise.all(callers)) expect(pets).toEqual([added]);
  });
});
