import type { EntityManager } from 'typeorm';
import type { ScheduledJob } from '../scheduler/job-runner.js';

/** Between two removals. */
const INTERVAL_MS = 10 * 60 * 1000;
/** For one removal: what is left then is removed by the next one. */
const TIMEOUT_MS = 60 * 1000;
/** Rows removed by one statement: few enough for its timeout on a slow disk. */
const BATCH_SIZE = 5_000;

/** Rows of one table that are removed when they are old enough. */
export interface RetentionRule {
  /** Names the scheduled job; lower case and underscores. */
  readonly name: string;
  /** A `delete` of at most `$2` rows, those older than the age `$1`. */
  readonly statement: string;
  /** Value of `$1`, in the unit that the statement uses. */
  readonly age: number;
}

/**
 * Removes rows in batches until no row is left that is old enough.
 *
 * @param signal stops it between two batches: then it rejects with the signal's reason
 * @returns how many rows were removed
 */
export async function removeOldRows(
  manager: EntityManager,
  { statement, age }: RetentionRule,
  signal?: AbortSignal,
): Promise<number> {
  for (let total = 0; ;) {
    const [, removed] = await manager.query<[unknown, number]>(statement, [age, BATCH_SIZE]);
    total += removed;
    if (removed < BATCH_SIZE) return total;
    signal?.throwIfAborted();
  }
}

/** One scheduled job for each rule. */
export function retentionJobs(
  manager: EntityManager,
  rules: readonly RetentionRule[],
): readonly ScheduledJob[] {
  return rules.map((rule) => ({
    name: `retention:${rule.name}`,
    intervalMs: INTERVAL_MS,
    timeoutMs: TIMEOUT_MS,
    run: (signal) => removeOldRows(manager, rule, signal),
  }));
}
