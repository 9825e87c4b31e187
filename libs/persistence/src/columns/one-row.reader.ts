import type { RawRow, RowReader } from '../pipeline/raw-rows.js';
import type { JsonLayout } from './json-layout.js';
import { RowJsonWriter } from './row-json-writer.js';

/** Reads one row of a resource as JSON, or that there is none. */
export class OneRowReader implements RowReader<Uint8Array | undefined> {
  private writer: RowJsonWriter | undefined;

  constructor(private readonly layout: JsonLayout) {}

  take(row: RawRow): void {
    this.writer = new RowJsonWriter(this.layout, 1);
    this.writer.row(row);
  }

  answer(): Uint8Array | undefined {
    return this.writer?.written;
  }
}
