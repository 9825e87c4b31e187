import type { Client } from 'pg';
import type { EntityManager } from 'typeorm';
import type { Database } from '../src/database/database.js';
import { PLANNER_SETTINGS } from '../src/pipelined-pool/planner-settings.js';
import type { Statement } from '../src/pipelined-pool/statement.js';
import { connect } from './test-database.js';

/** One node of the plan that was executed. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

export type Query = readonly [Statement, readonly unknown[]];

/** The statement that a store or a repository sends last, with its values; nothing runs it. */
export async function sentBy(
  use: (manager: EntityManager, database: Database) => Promise<unknown>,
): Promise<Query> {
  const sent: Query[] = [];
  const query = (statement: Statement | string, values: readonly unknown[] = []): Promise<unknown[]> => {
    sent.push([typeof statement === 'string' ? { name: '', text: statement } : statement, values]);
    return Promise.resolve([{ any: true }]);
  };
  const manager = { query } as unknown as EntityManager;
  // What it makes of rows that are no such is of no interest.
  await use(manager, { manager, keys: { query } } as unknown as Database).catch(() => undefined);
  const [{ text, name }, values] = sent.at(-1) ?? [{ text: '', name: '' }, []];
  return [{ name: name === '' ? `sent_${text.length}` : name, text }, values];
}

/** A session that begins as those of the pipelined pool do: the plans are those of the statements really sent. */
export async function fastLaneSession(url: string): Promise<Client> {
  const session = await connect(url);
  await session.query(PLANNER_SETTINGS);
  return session;
}

function literal(value: unknown): string {
  if (value == null) return 'null';
  return Array.isArray(value)
    ? `'{${value.join(',')}}'`
    : `'${(value as string | number).toString().replaceAll("'", "''")}'`;
}

/** What each session has prepared. */
const prepared = new WeakMap<Client, Set<string>>();

/**
 * The nodes of the plan of a statement, which is prepared once in the session, the outermost first.
 *
 * @param how `costs off` to plan without executing
 */
export async function explain(
  session: Client,
  [{ name, text }, values]: Query,
  how = 'analyze, buffers',
): Promise<PlanNode[]> {
  const names = prepared.get(session) ?? new Set();
  prepared.set(session, names);
  if (!names.has(name)) await session.query(`prepare ${name} as ${text}`);
  names.add(name);
  const literals = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
  const { rows } = await session.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `explain (${how}, format json) execute ${name} ${literals}`,
  );
  const flatten = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)];
  return (rows[0]?.['QUERY PLAN'] ?? []).flatMap(({ Plan: plan }) => flatten(plan));
}

/** Pages of tables and indexes that the whole plan has looked at. */
export function pagesOf(plan: readonly PlanNode[]): number {
  return (plan[0]?.['Shared Hit Blocks'] ?? 0) + (plan[0]?.['Shared Read Blocks'] ?? 0);
}

/** Rows that any node of the plan has read and thrown away. */
export function rowsThrownAway(plan: readonly PlanNode[]): number {
  return plan.reduce((sum, node) => sum + (node['Rows Removed by Filter'] ?? 0), 0);
}

/** How many statements of the session have been planned for values of their own. */
export async function customPlans(session: Client): Promise<number> {
  const { rows } = await session.query<{ custom: number }>(
    `select coalesce(sum(custom_plans), 0)::int as custom from pg_prepared_statements where name <> ''`,
  );
  return rows[0]?.custom ?? NaN;
}
