import type { PetId, PetPage } from '@petstore/pet-domain';
import type { RawRow, RowReader } from '../pipeline/raw-rows.js';
import { RowJsonWriter } from '../columns/row-json-writer.js';
import { PET_LAYOUT } from './pet-columns.js';

const [OPEN, COMMA, CLOSE] = [...Buffer.from('[,]')] as [number, number, number];

/** Reads one page from at most one row more than it holds, which tells whether there is another page. */
export class PageReader implements RowReader<PetPage> {
  private readonly writer: RowJsonWriter;
  private count = 0;

  constructor(private readonly limit: number) {
    this.writer = new RowJsonWriter(PET_LAYOUT, limit);
  }

  take(row: RawRow): void {
    if (this.count++ >= this.limit) return;
    this.writer.character(this.count === 1 ? OPEN : COMMA);
    this.writer.row(row);
  }

  answer(): PetPage {
    const { writer, count } = this;
    if (count === 0) writer.character(OPEN);
    writer.character(CLOSE);
    return {
      json: writer.written,
      last: count === 0 ? undefined : (writer.lastFirstColumn as PetId),
      more: count > this.limit,
    };
  }
}

/** Reads an animal, or that there is none. */
export class PetReader implements RowReader<Uint8Array | undefined> {
  private writer: RowJsonWriter | undefined;

  take(row: RawRow): void {
    this.writer = new RowJsonWriter(PET_LAYOUT, 1);
    this.writer.row(row);
  }

  answer(): Uint8Array | undefined {
    return this.writer?.written;
  }
}
