import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestPostgres } from '@petstore/test-servers';
import { Client } from 'pg';
import { PLANNER_SETTINGS } from '../src/fast-lane/planner-settings.js';
import type { Statement } from '../src/fast-lane/statement.js';
import { startMigratedServer } from './migrated-server.js';

/** One node of the plan that was executed. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Scan Direction'?: string;
  readonly 'Actual Rows': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** A session that begins as those of the fast lane do: the plans are those of the statements really sent. */
export async function fastLaneSession(url: string): Promise<Client> {
  const session = new Client(url);
  await session.connect();
  await session.query(PLANNER_SETTINGS);
  return session;
}

type Value = string | number | boolean | null | readonly string[];

const literal = (value: Value): string => {
  if (value === null) return 'null';
  return typeof value === 'object' ? `'{${value.join(',')}}'` : `'${String(value)}'`;
};

/**
 * The nodes of the plan of a statement, which is prepared once in the session, the outermost first.
 *
 * @param how `costs off` to plan without executing
 */
export async function explain(
  session: Client,
  [{ name, text }, values]: readonly [Statement, readonly unknown[]],
  how = 'analyze, buffers',
): Promise<PlanNode[]> {
  const known = await session.query('select from pg_prepared_statements where name = $1', [name]);
  if (known.rowCount === 0) await session.query(`prepare ${name} as ${text}`);
  const literals = values.length === 0 ? '' : `(${(values as readonly Value[]).map(literal).join(', ')})`;
  const { rows } = await session.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `explain (${how}, format json) execute ${name} ${literals}`,
  );
  const flatten = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)];
  return (rows[0]?.['QUERY PLAN'] ?? []).flatMap(({ Plan: plan }) => flatten(plan));
}

/** Pages of tables and indexes that the whole plan has looked at. */
export function buffersOf(plan: readonly PlanNode[]): number {
  return (plan[0]?.['Shared Hit Blocks'] ?? 0) + (plan[0]?.['Shared Read Blocks'] ?? 0);
}

/** Rows that any node of the plan has read and thrown away. */
export function rowsThrownAway(plan: readonly PlanNode[]): number {
  return plan.reduce((sum, node) => sum + (node['Rows Removed by Filter'] ?? 0), 0);
}

/** How many statements of the session have been planned for values of their own. */
async function customPlans(session: Client): Promise<number> {
  const { rows } = await session.query<{ custom: number }>(
    'select coalesce(sum(custom_plans), 0)::int as custom from pg_prepared_statements where name <> $1',
    [''],
  );
  return rows[0]?.custom ?? NaN;
}

/**
 * Runs tests of plans on an empty table, on a long one without statistics, and on one with them, each in a session of the
 * fast lane; all statements must have been planned once, for any values.
 *
 * @param fill makes the table long
 * @param analyzed names of its tables
 * @returns the server, for further tests on the long table
 */
export function describePlans(
  fill: (session: Client) => Promise<unknown>,
  analyzed: string,
  define: (session: () => Client) => void,
): () => TestPostgres {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startMigratedServer();
  });
  afterAll(() => server.stop());

  describe.each([
    ['an empty table', () => Promise.resolve()],
    ['a long table that was not analyzed', fill],
    ['a long table', (session: Client) => session.query(`vacuum analyze ${analyzed}`)],
  ])('in %s', (_what, prepare: (session: Client) => Promise<unknown>) => {
    let session: Client;
    beforeAll(async () => {
      session = await fastLaneSession(server.url);
      await prepare(session);
    });
    afterAll(() => session.end());
    define(() => session);

    it('each statement has been planned once, for any values', async () => {
      expect(await customPlans(session)).toBe(0);
    });
  });
  return () => server;
}
