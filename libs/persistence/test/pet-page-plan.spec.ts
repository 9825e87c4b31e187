import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PetId, type PetPageRequest, PetStatus } from '@petstore/pet-domain';
import { startTestPostgres, type TestPostgres } from '@petstore/test-servers';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../src/data-source.js';
import { migrate } from '../src/migrate.js';
import { selectPage } from '../src/pet/pet-page.query.js';

const ANIMALS = 60_000;
const LIMIT = 21;

let server: TestPostgres;
let dataSource: DataSource;

beforeAll(async () => {
  server = await startTestPostgres();
  dataSource = await createDataSource({ url: server.url }).initialize();
  await migrate(dataSource);
  // The worst case for a filter: nearly all animals were sold, and the few others came first.
  await dataSource.query(
    `insert into pets (name, category_id, status)
     select 'Pet ' || n, n, case when n <= 500 then 'available' when n <= 600 then 'pending' else 'sold' end
     from generate_series(1, $1::int) n`,
    [ANIMALS],
  );
  await dataSource.query('vacuum analyze pets');
});

afterAll(async () => {
  await dataSource.destroy();
  await server.stop();
});

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

async function explain(request: PetPageRequest): Promise<Plan[]> {
  const [sql, values] = selectPage(dataSource.manager, request, LIMIT).getQueryAndParameters();
  const [row] = await dataSource.query<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(
    `explain (analyze, buffers, format json) ${sql}`,
    values,
  );
  const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)];
  return (row?.['QUERY PLAN'] ?? []).flatMap(({ Plan: plan }) => flatten(plan));
}

const positions = [undefined, '59990', '30000', '550', '50', '1'];
const requests = [undefined, ...PetStatus.ALL].flatMap((status) =>
  positions.map((position) => ({ status, position, index: status ? 'pets_status_id' : 'pets_pkey' })),
);

describe('a page of a long list', () => {
  it.each(requests)(
    'of $status before $position is read from $index alone',
    async ({ status, position, index }) => {
      const before = position === undefined ? undefined : PetId.parse(position);
      const plan = await explain({ limit: LIMIT - 1, status, before });
      expect(plan.map((node) => node['Node Type'])).toEqual(['Limit', 'Index Scan']);
      expect(plan.at(-1)?.['Index Name']).toBe(index);
      expect(plan.at(-1)?.['Rows Removed by Filter'] ?? 0).toBe(0);
      // One way down the index, and the rows themselves: the same at any depth.
      expect((plan[0]?.['Shared Hit Blocks'] ?? 0) + (plan[0]?.['Shared Read Blocks'] ?? 0)).toBeLessThan(
        LIMIT + 10,
      );
    },
  );
});
