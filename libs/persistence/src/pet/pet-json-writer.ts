import { PET_JSON, type PetId } from '@petstore/pet-domain';
import type { RawRow } from '../pipeline/raw-rows.js';

/** Room for an animal with a name of usual length. */
const USUAL_BYTES = 96;

const [BEFORE_ID, BEFORE_NAME, BEFORE_CATEGORY_ID, BEFORE_STATUS, END] = PET_JSON.map((text) =>
  Buffer.from(text),
) as [Buffer, Buffer, Buffer, Buffer, Buffer];
const BETWEEN_VALUES = PET_JSON.join('').length;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/**
 * Writes rows of the columns id, name, category_id and status as JSON, as `petJson` does values, but from the
 * bytes of the wire to those of the answer: no string is made, nothing is decoded and encoded again.
 *
 * The rows are taken at their word: the table's checks hold what the domain asks for. So no value needs an
 * escape but a name with a quotation mark or a backslash.
 */
export class PetJsonWriter {
  private bytes: Buffer;
  private end = 0;
  private lastIdAt = 0;
  private lastIdEnd = 0;

  /** @param animals how many there will be, at the most */
  constructor(animals: number) {
    this.bytes = Buffer.allocUnsafe(animals * USUAL_BYTES);
  }

  /** Id of the last animal written. */
  get lastId(): PetId {
    return this.bytes.toString('latin1', this.lastIdAt, this.lastIdEnd) as PetId;
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

  pet({ bytes, at }: RawRow): void {
    // A length of four bytes stands before each value.
    const id = at + 6;
    const idEnd = id + int32(bytes, id - 4);
    const name = idEnd + 4;
    const nameEnd = name + int32(bytes, idEnd);
    const categoryId = nameEnd + 4;
    const categoryIdEnd = categoryId + int32(bytes, nameEnd);
    const status = categoryIdEnd + 4;
    const statusEnd = status + int32(bytes, categoryIdEnd);
    this.makeRoom(BETWEEN_VALUES + (statusEnd - at) + (nameEnd - name));

    this.copy(BEFORE_ID, 0, BEFORE_ID.length);
    this.lastIdAt = this.end;
    this.copy(bytes, id, idEnd);
    this.lastIdEnd = this.end;
    this.copy(BEFORE_NAME, 0, BEFORE_NAME.length);
    this.copyEscaped(bytes, name, nameEnd);
    this.copy(BEFORE_CATEGORY_ID, 0, BEFORE_CATEGORY_ID.length);
    this.copy(bytes, categoryId, categoryIdEnd);
    this.copy(BEFORE_STATUS, 0, BEFORE_STATUS.length);
    this.copy(bytes, status, statusEnd);
    this.copy(END, 0, END.length);
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
