import type { CheckedRecord, Problem } from './check-record.js';
import type { Decision } from './plan.js';

/** Most problems that are listed; all are counted. */
const MAX_LISTED = 1_000;

/** What is counted, in the order in which it is said. */
export const COUNTS = [
  'created',
  'updated',
  'unchanged',
  'missing',
  'sold',
  'deleted',
  'held',
  'skipped',
  'refused',
] as const;

/** What comes of an import. Each number counts animals once, but for records and those of them that are refused. */
export class ImportTally implements Record<(typeof COUNTS)[number], number> {
  records = 0;
  created = 0;
  updated = 0;
  unchanged = 0;
  /** Animals of the source that the file lacks, or shows as gone. */
  missing = 0;
  /** Of these, those that are sold for it, and those that are deleted. */
  sold = 0;
  deleted = 0;
  /** Animals that an order keeps from what the file says. */
  held = 0;
  /** New animals that are not for adoption. */
  skipped = 0;
  refused = 0;
  photosLeftOut = 0;
  /** Descriptions that were cut. */
  shortened = 0;
  readonly problems: Problem[] = [];
  /** Records that have problems of which none is listed. */
  unlisted = 0;

  list(...problems: readonly Problem[]): void {
    const room = MAX_LISTED - this.problems.length;
    if (problems.length > 0 && room === 0) this.unlisted++;
    this.problems.push(...problems.slice(0, room));
  }

  count(decision: Decision, { line, reference }: Pick<CheckedRecord, 'line' | 'reference'>): void {
    const { outcome, isHeld = false, problems } = decision;
    // Known animals that are gone count as missing.
    if (outcome !== 'gone') this[outcome]++;
    if (isHeld) this.held++;
    this.list(...problems.map((problem) => ({ line, reference, ...problem })));
  }

  /** Takes over what another one has counted. */
  add(other: ImportTally): void {
    for (const name of [...COUNTS, 'unlisted'] as const) this[name] += other[name];
    for (const problem of other.problems) this.list(problem);
  }
}
