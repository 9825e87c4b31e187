import type { Client } from 'pg';
import type { Statement } from '../src/pipeline/statement.js';

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

/** A prepared statement, and what it is executed with. */
type Execution = readonly [Pick<Statement, 'name'>, readonly string[]];

/**
 * The nodes of the plan of a prepared statement, the outermost first.
 *
 * @param how `costs off` to plan without executing
 */
export async function explain(
  session: Client,
  [{ name }, values]: Execution,
  how = 'analyze, buffers',
): Promise<PlanNode[]> {
  const literals = values.length === 0 ? '' : `(${values.map((value) => `'${value}'`).join(', ')})`;
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
export async function customPlans(session: Client): Promise<number> {
  const { rows } = await session.query<{ custom: number }>(
    'select sum(custom_plans)::int as custom from pg_prepared_statements',
  );
  return rows[0]?.custom ?? NaN;
}
