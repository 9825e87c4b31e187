import type { RawRow } from '../pipeline/raw-rows.js';
import type { JsonLayout } from './json-layout.js';

const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/**
 * Writes rows as JSON, as `jsonTextOf` writes values, but from the bytes of the wire to those of the response: no string
 * is made, nothing is decoded and encoded again. The columns of a row are the fields of the layout, in their order.
 *
 * The rows are taken at their word: the table's checks hold what the domain asks for. So no value needs an escape but
 * a text with a quotation mark or a backslash.
 *
 * All pieces of the layout are in one buffer: so the loop over the columns is as fast as the same code written out for
 * each column (3.3 µs for a list of 20, 15.6 for one of 100).
 */
export class RowJsonWriter {
  private bytes: Buffer;
  private end = 0;
  private firstAt = 0;
  private firstEnd = 0;

  /** @param rows how many there will be, at the most */
  constructor(
    private readonly layout: JsonLayout,
    rows: number,
  ) {
    this.bytes = Buffer.allocUnsafe(rows * layout.usualBytes);
  }

  /** The first column of the row that was written last, of which every character is one of ASCII. */
  get lastFirstColumn(): string {
    return this.bytes.toString('latin1', this.firstAt, this.firstEnd);
  }

  /** What has been written. */
  get written(): Uint8Array {
    return this.bytes.subarray(0, this.end);
  }

  /** Writes one character of ASCII. */
  character(code: number): void {
    this.makeRoom(1);
    this.bytes[this.end++] = code;
  }

  row({ bytes, at }: RawRow): void {
    const { pieces, ends, escapes } = this.layout;
    const columns = escapes.length;
    // Two bytes with the number of columns, then four with the length of each before its value.
    let next = at + 2;
    let piece = 0;
    this.firstAt = this.end + (ends[0] ?? 0);
    this.firstEnd = this.firstAt + int32(bytes, next);
    for (let column = 0; column < columns; column++) {
      const pieceEnd = ends[column] ?? 0;
      const value = next + 4;
      next = value + int32(bytes, next);
      this.makeRoom(pieceEnd - piece + 2 * (next - value));
      this.copy(pieces, piece, pieceEnd);
      piece = pieceEnd;
      if (escapes[column] === true) this.copyEscaped(bytes, value, next);
      else this.copy(bytes, value, next);
    }
    this.makeRoom(pieces.length - piece);
    this.copy(pieces, piece, pieces.length);
  }

  /** Byte by byte: for so few, calling out of JavaScript costs more. */
  private copy(from: Buffer, start: number, end: number): void {
    const { bytes } = this;
    let to = this.end;
    for (let i = start; i < end; i++) bytes[to++] = from[i] ?? 0;
    this.end = to;
  }

  private copyEscaped(from: Buffer, start: number, end: number): void {
    const { bytes } = this;
    let to = this.end;
    for (let i = start; i < end; i++) {
      const byte = from[i] ?? 0;
      // No byte of a longer UTF-8 sequence is one of these.
      if (byte === QUOTE || byte === BACKSLASH) bytes[to++] = BACKSLASH;
      bytes[to++] = byte;
    }
    this.end = to;
  }

  private makeRoom(more: number): void {
    if (this.end + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe((this.end + more) * 2);
    this.bytes.copy(larger, 0, 0, this.end);
    this.bytes = larger;
  }
}

function int32(bytes: Buffer, at: number): number {
  return (
    ((bytes[at] ?? 0) << 24) |
    ((bytes[at + 1] ?? 0) << 16) |
    ((bytes[at + 2] ?? 0) << 8) |
    (bytes[at + 3] ?? 0)
  );
}
