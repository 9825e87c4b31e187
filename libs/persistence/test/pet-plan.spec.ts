import { expect, it } from '@jest/globals';
import { CategoryId, PetId, PetStatus } from '@petstore/pet-domain';
import type { Client } from 'pg';
import { FIND_PET, petPageQuery, PETS_BY_IDS } from '../src/pets/pet.queries.js';
import { known } from '../src/testing/known.js';
import { buffersOf, explain, type PlanNode, rowsThrownAway, describePlans } from './query-plan.js';

const PETS = 60_000;
const LIMIT = 21;
/** Pages of one way down an index, and the page of the table that it leads to. */
const WAY = 4;

/**
 * The worst case for filters: nearly all pets are sold ones of category 1. Category 2 has few pets everywhere, 3 and all
 * other statuses have few among the oldest, and 4 has one.
 */
async function fill(session: Client): Promise<void> {
  await session.query(
    `insert into pets (name, category_id, status)
     select 'Pet ' || n,
       case when n = 700 then 4 when n % 1000 = 0 then 2 when n % 2 = 0 and n <= 400 then 3 else 1 end,
       case when n <= 500 then 'available' when n <= 600 then 'pending' else 'sold' end
     from generate_series(1, $1::int) n`,
    [PETS],
  );
}

const STATUSES = [undefined, ...PetStatus.ALL];
const POSITIONS = [undefined, '9223372036854775807', '59990', '30000', '550', '50', '1'];
const CATEGORIES = [undefined, '1', '2', '3', '4', '5', '9223372036854775807'];
const REQUESTS = STATUSES.flatMap((status) =>
  CATEGORIES.flatMap((category) => POSITIONS.map((position) => ({ category, status, position }))),
);

function indexOf(category?: string, status?: string): string {
  if (category !== undefined) return 'pets_category_status_id';
  return status === undefined ? 'pets_pkey' : 'pets_status_id';
}

const scansOf = (plan: readonly PlanNode[]): PlanNode[] =>
  plan.filter((node) => node['Node Type'].includes('Scan') && node['Node Type'] !== 'Subquery Scan');

describePlans(fill, 'pets', (session) => {
  it.each(REQUESTS)(
    'a page of category $category, $status before $position is short scans of one index',
    async ({ category, status, position }) => {
      const before = position === undefined ? undefined : known(PetId.parse(position));
      const categoryId = category === undefined ? undefined : known(CategoryId.parse(category));
      const plan = await explain(session(), petPageQuery({ categoryId, status, before }, LIMIT));
      const scans = scansOf(plan);
      const isMerged = category !== undefined && status === undefined;
      expect(scans).toHaveLength(isMerged ? PetStatus.ALL.length : 1);
      for (const scan of scans) {
        expect(scan).toMatchObject({
          'Node Type': 'Index Scan',
          'Index Name': indexOf(category, status),
          'Scan Direction': 'Backward',
        });
      }
      expect(plan.map((node) => node['Node Type'])).not.toContain('Sort');
      expect(rowsThrownAway(plan)).toBe(0);
      // The merge holds one row of each status.
      const read = scans.reduce((sum, scan) => sum + scan['Actual Rows'], 0);
      expect(read).toBeLessThan(LIMIT + PetStatus.ALL.length);
      expect(buffersOf(plan)).toBeLessThan(LIMIT + 10 + scans.length * WAY);
    },
  );

  it.each([
    ['', '0'],
    ['sold', '0'],
    ['', '1'],
    ['available', '3'],
  ])(
    'pets by their ids, status "%s", category %s, are read from the primary key alone',
    async (status, category) => {
      const ids = Array.from({ length: 100 }, (_, n) => String(1 + n * 600));
      const plan = await explain(session(), [PETS_BY_IDS, [ids, status, category]]);
      expect(plan.map((node) => [node['Node Type'], node['Index Name']])).toEqual([
        ['Index Scan', 'pets_pkey'],
      ]);
      expect(buffersOf(plan)).toBeLessThan(ids.length * WAY);
    },
  );

  it('one pet is found by the primary key', async () => {
    const plan = await explain(session(), [FIND_PET, ['15000']]);
    expect(plan.map((node) => [node['Node Type'], node['Index Name']])).toEqual([
      ['Index Scan', 'pets_pkey'],
    ]);
  });
});
