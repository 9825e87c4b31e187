import type { EntityManager } from 'typeorm';
import type { ScheduledJob } from '../scheduler/job-runner.js';
import { removeOldRows, type RetentionRule } from './retention-rule.js';

/** Between two removals. */
const INTERVAL_MS = 10 * 60 * 1000;
/** For one removal: what is left then is removed by the next one. */
const TIMEOUT_MS = 60 * 1000;

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
