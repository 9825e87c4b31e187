import { firstColumn, type RawRow, type RowReader } from '../pipeline/raw-rows.js';

/** Rows of an id and the JSON that the database has written of it. */
export interface JsonRows {
  /** A JSON array in UTF-8. */
  readonly json: Uint8Array;
  /** Id of the last row; `undefined` when there is none. */
  readonly last: string | undefined;
  /** Whether there was a row more than the limit. */
  readonly more: boolean;
}

/** Reads one page from at most one row more than it holds, which tells whether there is another page. */
export class JsonRowsReader implements RowReader<JsonRows> {
  private readonly pieces: Buffer[] = [];
  private last: string | undefined;
  private count = 0;

  constructor(private readonly limit: number) {}

  take(row: RawRow): void {
    if (this.count++ >= this.limit) return;
    this.last = firstColumn(row);
    this.pieces.push(SEPARATORS[this.count === 1 ? 0 : 1], Buffer.from(secondColumn(row)));
  }

  answer(): JsonRows {
    const { pieces, last, count, limit } = this;
    if (count === 0) pieces.push(SEPARATORS[0]);
    return { json: Buffer.concat([...pieces, SEPARATORS[2]]), last, more: count > limit };
  }
}

/** Reads the JSON of at most one row of an id and its JSON. */
export class JsonRowReader implements RowReader<Uint8Array | undefined> {
  private json: Uint8Array | undefined;

  take(row: RawRow): void {
    this.json = Buffer.from(secondColumn(row));
  }

  answer(): Uint8Array | undefined {
    return this.json;
  }
}

const SEPARATORS = [Buffer.from('['), Buffer.from(','), Buffer.from(']')] as const;

/** The bytes hold only until the reader returns. */
function secondColumn({ bytes, at }: RawRow): Buffer {
  const first = at + 6 + bytes.readInt32BE(at + 2);
  return bytes.subarray(first + 4, first + 4 + bytes.readInt32BE(first));
}
