import type { QueryRunner } from 'typeorm';
import { ForwardOnly } from './forward-only.js';

/**
 * An index on a table that may be large. It is built `concurrently`, which reads the table twice but lets others write
 * meanwhile; a plain `create index` would make them wait until it is done. PostgreSQL allows that outside of a
 * transaction only: `prepare` builds the index, and `up` finds it there.
 */
export abstract class ConcurrentIndex extends ForwardOnly {
  protected abstract readonly index: string;
  protected abstract readonly table: string;
  protected abstract readonly columns: string;

  /** Nothing to do while there is no table; an index that an earlier attempt did not finish is built anew. */
  async prepare(runner: QueryRunner): Promise<void> {
    const { index, table, columns } = this;
    const { exists, valid } = await this.state(runner);
    if (!exists || valid === true) return;
    if (valid === false) await runner.query(`drop index concurrently ${index}`);
    await runner.query(`create index concurrently ${index} on ${table} (${columns})`);
  }

  /** Builds the index of a table that this transaction has made. */
  async up(runner: QueryRunner): Promise<void> {
    const { index, table, columns } = this;
    if ((await this.state(runner)).valid !== true)
      await runner.query(`create index ${index} on ${table} (${columns})`);
  }

  private async state(runner: QueryRunner): Promise<IndexState> {
    const [state] = (await runner.query(
      `select to_regclass($1) is not null as exists,
              (select indisvalid from pg_index where indexrelid = to_regclass($2)) as valid`,
      [this.table, this.index],
    )) as [IndexState];
    return state;
  }
}

interface IndexState {
  /** Whether the table is there. */
  readonly exists: boolean;
  /** Whether the index is complete; `null` when there is none. */
  readonly valid: boolean | null;
}
