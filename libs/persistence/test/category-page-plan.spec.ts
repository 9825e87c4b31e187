import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CategoryId, PetId, PetStatus } from '@petstore/pet-domain';
import type { TestPostgres } from '@petstore/test-servers';
import type { Client } from 'pg';
import { byIdsQuery, pageQuery, PET_READS } from '../src/pet/pet-statements.js';
import { prepareSession } from '../src/pipeline/prepare-session.js';
import { endClient, openClient } from '../src/connection/pg-client.js';
import { known } from '../src/testing/known.js';
import { startMigratedServer } from './migrated-server.js';
import { buffersOf, customPlans, explain, type PlanNode, rowsThrownAway } from './query-plan.js';

const ANIMALS = 60_000;
const LIMIT = 21;
/** Pages of one way down an index, and the page of the table that it leads to. */
const WAY = 4;

let server: TestPostgres;
/** A session that begins as those of the service do: the plans are those of the statements really sent. */
let session: Client;

beforeAll(async () => {
  server = await startMigratedServer();
});
afterAll(() => server.stop());

/**
 * The worst case: nearly all animals are sold ones of category 1. Category 2 has few animals everywhere, 3 and all
 * other statuses have few among the oldest, and 4 has one.
 */
async function fill(): Promise<void> {
  await session.query(
    `insert into pets (name, category_id, status)
     select 'Pet ' || n,
       case when n = 700 then 4 when n % 1000 = 0 then 2 when n % 2 = 0 and n <= 400 then 3 else 1 end,
       case when n <= 500 then 'available' when n <= 600 then 'pending' else 'sold' end
     from generate_series(1, $1::int) n`,
    [ANIMALS],
  );
}

const CATEGORIES = ['1', '2', '3', '4', '5', '9223372036854775807'];
const POSITIONS = [undefined, '9223372036854775807', '59990', '30000', '550', '50', '1'];
const requests = [undefined, ...PetStatus.ALL].flatMap((status) =>
  CATEGORIES.flatMap((category) => POSITIONS.map((position) => ({ category, status, position }))),
);

function scansOf(plan: readonly PlanNode[]): PlanNode[] {
  return plan.filter((node) => node['Node Type'].includes('Scan') && node['Node Type'] !== 'Subquery Scan');
}

describe.each([
  ['an empty table', () => Promise.resolve()],
  ['a long table that nobody has looked at', fill],
  ['a long table', () => session.query('vacuum analyze pets')],
])('in %s', (_what, prepare: () => Promise<unknown>) => {
  beforeAll(async () => {
    session = await openClient({ connectionString: server.url }, 5_000, prepareSession(PET_READS));
    await prepare();
  });
  afterAll(() => endClient(session));

  it.each(requests)(
    'a page of category $category, $status before $position is short scans',
    async (request) => {
      const { category, status, position } = request;
      const before = position === undefined ? undefined : known(PetId.parse(position));
      const categoryId = known(CategoryId.parse(category));
      const plan = await explain(session, pageQuery({ categoryId, status, before }, LIMIT));
      const scans = scansOf(plan);
      expect(scans).toHaveLength(status === undefined ? PetStatus.ALL.length : 1);
      for (const scan of scans) {
        expect(scan).toMatchObject({
          'Node Type': 'Index Scan',
          'Index Name': 'pets_category_status_id',
          'Scan Direction': 'Backward',
        });
      }
      expect(plan.map((node) => node['Node Type'])).not.toContain('Sort');
      expect(rowsThrownAway(plan)).toBe(0);
      // The merge holds one row of each status.
      const read = scans.reduce((sum, scan) => sum + scan['Actual Rows'], 0);
      expect(read).toBeLessThan(LIMIT + PetStatus.ALL.length);
      expect(buffersOf(plan)).toBeLessThan(LIMIT + scans.length * WAY);
    },
  );

  it.each([
    [{}],
    [{ status: 'sold' as const }],
    [{ categoryId: known(CategoryId.parse('1')) }],
    [{ status: 'available' as const, categoryId: known(CategoryId.parse('3')) }],
  ])('animals by their ids with the filter %j are read from the primary key alone', async (filter) => {
    const ids = Array.from({ length: 100 }, (_, n) => known(PetId.parse(String(1 + n * 600))));
    const plan = await explain(session, byIdsQuery({ ids, ...filter }));
    expect(plan.map((node) => [node['Node Type'], node['Index Name']])).toEqual([
      ['Index Scan', 'pets_pkey'],
    ]);
    expect(buffersOf(plan)).toBeLessThan(ids.length * WAY);
  });

  it('each statement has been planned once, for any values', async () => {
    expect(await customPlans(session)).toBe(0);
  });
});
