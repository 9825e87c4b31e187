import { firstColumn, type RawRow, type RowReader } from '../pipeline/raw-rows.js';

/** Reads one row of one truth value. */
export class TruthReader implements RowReader<boolean> {
  private isTrue = false;

  take(row: RawRow): void {
    this.isTrue = firstColumn(row) === 't';
  }

  answer(): boolean {
    return this.isTrue;
  }
}
