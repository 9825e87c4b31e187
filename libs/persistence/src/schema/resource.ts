import type { Statement } from '../pipeline/statement.js';
import type { RetentionRule } from '../retention/retention-rule.js';

/** What one resource brings to the database. Its folder exports one; `resources.ts` lists them. */
export interface Resource {
  /** The row classes of its tables. */
  readonly rows: readonly (new () => object)[];
  /** Statements that every reading connection of the pipelines prepares. */
  readonly reads?: readonly Statement[];
  /** Statements that every writing connection of the pipelines prepares. */
  readonly writes?: readonly Statement[];
  /** Which of its rows are removed, and when. */
  readonly retention?: readonly RetentionRule[];
}
