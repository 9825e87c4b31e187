import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PetId, PetStatus } from '@petstore/pet-domain';
import type { TestPostgres } from '@petstore/test-servers';
import type { Client } from 'pg';
import { FIND, pageQuery, PET_READS } from '../src/pet/pet-statements.js';
import { prepareSession } from '../src/pipeline/prepare-session.js';
import { endClient, openClient } from '../src/connection/pg-client.js';
import { startMigratedServer } from './migrated-server.js';
import { buffersOf, customPlans, explain, rowsThrownAway } from './query-plan.js';

const ANIMALS = 30_000;
const LIMIT = 21;

let server: TestPostgres;
/** A session that begins as those of the service do: the plans are those of the statements really sent. */
let session: Client;

beforeAll(async () => {
  server = await startMigratedServer();
});
afterAll(() => server.stop());

/** The worst case for a filter: nearly all animals were sold, and the few others came first. */
async function fill(): Promise<void> {
  await session.query(
    `insert into pets (name, category_id, status)
     select 'Pet ' || n, n, case when n <= 500 then 'available' when n <= 600 then 'pending' else 'sold' end
     from generate_series(1, $1::int) n`,
    [ANIMALS],
  );
}

const positions = [undefined, '29990', '15000', '550', '50', '1'];
const requests = [undefined, ...PetStatus.ALL].flatMap((status) =>
  positions.map((position) => ({ status, position, index: status ? 'pets_status_id' : 'pets_pkey' })),
);

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

  it.each(requests)('a page of $status before $position is read from $index alone', async (request) => {
    const { status, position, index } = request;
    const before = position === undefined ? undefined : PetId.parse(position);
    const plan = await explain(session, pageQuery({ status, before }, LIMIT));
    expect(plan.map((node) => node['Node Type'])).toEqual(['Limit', 'Index Scan']);
    expect(plan.at(-1)?.['Index Name']).toBe(index);
    expect(rowsThrownAway(plan)).toBe(0);
    // One way down the index, and the rows themselves: the same at any depth.
    expect(buffersOf(plan)).toBeLessThan(LIMIT + 10);
  });

  it('one animal is found by the primary key', async () => {
    const plan = await explain(session, [FIND, ['15000']]);
    expect(plan.map((node) => [node['Node Type'], node['Index Name']])).toEqual([
      ['Index Scan', 'pets_pkey'],
    ]);
  });

  it('each statement has been planned once, for any values', async () => {
    expect(await customPlans(session)).toBe(0);
  });
});
