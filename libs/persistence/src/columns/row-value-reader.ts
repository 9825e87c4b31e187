import type { RawRow, RowReader } from '../pipeline/raw-rows.js';
import type { Column } from './columns-of.js';

/**
 * Reads at most one row as the value of a resource, or that there is none. The columns of the row are these, in their
 * order; every value is text, a bigint its decimal digits.
 */
export class RowValueReader<T> implements RowReader<T | undefined> {
  private value: T | undefined;

  constructor(private readonly columns: readonly Column[]) {}

  take({ bytes, at }: RawRow): void {
    const value: Record<string, string> = {};
    let next = at + 2;
    for (const { member } of this.columns) {
      const start = next + 4;
      next = start + bytes.readInt32BE(next);
      value[member] = bytes.toString('utf8', start, next);
    }
    this.value = value as T;
  }

  answer(): T | undefined {
    return this.value;
  }
}
