import { firstColumn, type RawRow, type RowReader } from '../pipeline/raw-rows.js';

/** Reads the status of an animal; empty when there is none. */
export class PetStatusReader implements RowReader<string> {
  private status = '';

  take(row: RawRow): void {
    this.status = firstColumn(row);
  }

  answer(): string {
    return this.status;
  }
}
