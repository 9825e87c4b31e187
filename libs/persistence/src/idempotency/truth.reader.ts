import { firstColumn, type RawRow, type RowReader } from '../pipeline/raw-rows.js';
import { isTrue } from '../unit-of-work/statement-batch.js';

/** Reads one row of one truth value. */
export class TruthReader implements RowReader<boolean> {
  private isTrue = false;

  take(row: RawRow): void {
    this.isTrue = isTrue(firstColumn(row));
  }

  answer(): boolean {
    return this.isTrue;
  }
}
