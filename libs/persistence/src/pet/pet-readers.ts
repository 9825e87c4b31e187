import type { PetPage } from '@petstore/pet-domain';
import type { RawRow, RowReader } from '../pipeline/raw-rows.js';
import { PetJsonWriter } from './pet-json-writer.js';

const [OPEN, COMMA, CLOSE] = [...Buffer.from('[,]')] as [number, number, number];

/** Reads one page from at most one row more than it holds, which tells whether there is another page. */
export class PageReader implements RowReader<PetPage> {
  private readonly writer: PetJsonWriter;
  private count = 0;

  constructor(private readonly limit: number) {
    this.writer = new PetJsonWriter(limit);
  }

  take(row: RawRow): void {
    if (this.count++ >= this.limit) return;
    this.writer.character(this.count === 1 ? OPEN : COMMA);
    this.writer.pet(row);
  }

  answer(): PetPage {
    const { writer, count } = this;
    if (count === 0) writer.character(OPEN);
    writer.character(CLOSE);
    return {
      json: writer.written,
      last: count === 0 ? undefined : writer.lastId,
      more: count > this.limit,
    };
  }
}

/** Reads an animal, or that there is none. */
export class PetReader implements RowReader<Uint8Array | undefined> {
  private writer: PetJsonWriter | undefined;

  take(row: RawRow): void {
    this.writer = new PetJsonWriter(1);
    this.writer.pet(row);
  }

  answer(): Uint8Array | undefined {
    return this.writer?.written;
  }
}
