import { removeOldRows, retentionRules } from '../src/retention/retention.js';
import type { TestDatabase } from './test-database.js';

/** Removes what is old of this kind. @param eventDays for which events are kept @returns how many rows */
export function removeOld({ stores }: TestDatabase, name: string, eventDays = 30): Promise<number> {
  const rule = retentionRules(eventDays).find((one) => one.name === name);
  if (rule === undefined) throw new Error(`There is no rule ${name}.`);
  return removeOldRows(stores.database.manager, rule);
}
