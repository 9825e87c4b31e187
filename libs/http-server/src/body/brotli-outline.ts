/** What a Brotli stream says of itself without being decoded (RFC 7932, sections 9.1 and 9.2). */
export interface BrotliOutline {
  /**
   * Bytes that the stream is decoded to, if only its last meta-block is compressed; `undefined` where that cannot be
   * told without decoding it.
   */
  readonly length: number | undefined;
  /** How many sets of codes for literals the last meta-block switches between. */
  readonly literalTypes: number;
}

const UNTOLD: BrotliOutline = { length: undefined, literalTypes: 0 };

/** Reads the headers of a Brotli stream up to the first meta-block that is compressed. */
export function readBrotliOutline(stream: Uint8Array): BrotliOutline {
  let at = 0;
  const read = (count: number): number => {
    let value = 0;
    for (let i = 0; i < count; i++, at++) value |= (((stream[at >> 3] ?? 0) >> (at & 7)) & 1) << i;
    return value;
  };
  // A window of 2^16 takes one bit, one of 2^18 to 2^24 four, and any other one seven.
  if (read(1) === 1 && read(3) === 0) read(3);
  let length = 0;
  while (at >> 3 < stream.length) {
    const isLast = read(1) === 1;
    if (isLast && read(1) === 1) return { length, literalTypes: 0 };
    const nibbles = 4 + read(2);
    // Seven are the sign of a meta-block that holds metadata.
    if (nibbles > 6) return UNTOLD;
    const bytes = read(4 * nibbles) + 1;
    length += bytes;
    if (isLast) return { length, literalTypes: readLiteralTypes(read) };
    const isUncompressed = read(1) === 1;
    if (!isUncompressed) return UNTOLD;
    // Its bytes begin at the next whole byte.
    at = (((at + 7) >> 3) + bytes) * 8;
  }
  // Cut off, as the decoder will say.
  return { length, literalTypes: 0 };
}

function readLiteralTypes(read: (bits: number) => number): number {
  if (read(1) === 0) return 1;
  const extra = read(3);
  return 1 + (1 << extra) + read(extra);
}
