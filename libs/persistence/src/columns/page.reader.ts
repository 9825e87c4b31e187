import type { RawRow, RowReader } from '../pipeline/raw-rows.js';
import type { JsonLayout } from './json-layout.js';
import { RowJsonWriter } from './row-json-writer.js';

const [OPEN, COMMA, CLOSE] = [...Buffer.from('[,]')] as [number, number, number];

/** One page of a resource as JSON, and where it ends. */
export interface ReadPage<Id> {
  readonly json: Uint8Array;
  readonly last: Id | undefined;
  readonly more: boolean;
}

/** Reads one page from at most one row more than it holds, which tells whether there is another page. */
export class PageReader<Id extends string> implements RowReader<ReadPage<Id>> {
  private readonly writer: RowJsonWriter;
  private count = 0;

  constructor(
    layout: JsonLayout,
    private readonly limit: number,
  ) {
    this.writer = new RowJsonWriter(layout, limit);
  }

  take(row: RawRow): void {
    if (this.count++ >= this.limit) return;
    this.writer.character(this.count === 1 ? OPEN : COMMA);
    this.writer.row(row);
  }

  answer(): ReadPage<Id> {
    const { writer, count } = this;
    if (count === 0) writer.character(OPEN);
    writer.character(CLOSE);
    return {
      json: writer.written,
      last: count === 0 ? undefined : (writer.lastFirstColumn as Id),
      more: count > this.limit,
    };
  }
}
