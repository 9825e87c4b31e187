/** What the first bytes of a Brotli stream tell of the rest (RFC 7932, sections 9.1 and 9.2). */
export interface BrotliHead {
  /** Bytes that the first meta-block is decoded to; 0 where it holds none. */
  readonly length: number;
  /** Whether the first meta-block is the only one. */
  readonly isOnly: boolean;
  /** How many sets of codes for literals the first meta-block switches between; known where it is the only one. */
  readonly literalTypes: number;
}

/** Reads the head of a Brotli stream. */
export function readBrotliHead(stream: Uint8Array): BrotliHead {
  let at = 0;
  const read = (count: number): number => {
    let value = 0;
    for (let i = 0; i < count; i++, at++) value |= (((stream[at >> 3] ?? 0) >> (at & 7)) & 1) << i;
    return value;
  };
  // A window of 2^16 takes one bit, one of 2^18 to 2^24 four, and any other one seven.
  if (read(1) === 1 && read(3) === 0) read(3);
  const isLast = read(1) === 1;
  if (isLast && read(1) === 1) return { length: 0, isOnly: true, literalTypes: 0 };
  const nibbles = 4 + read(2);
  // Seven are the sign of a meta-block that holds metadata.
  if (nibbles > 6) return { length: 0, isOnly: false, literalTypes: 0 };
  const length = read(4 * nibbles) + 1;
  if (!isLast) return { length, isOnly: false, literalTypes: 0 };
  if (read(1) === 0) return { length, isOnly: true, literalTypes: 1 };
  const extra = read(3);
  return { length, isOnly: true, literalTypes: 1 + (1 << extra) + read(extra) };
}

/**
 * The same stream with a window of 256 KiB, where its own is larger.
 *
 * A decoder fills the window before it gives anything back, so that 18 bytes can let it write 16 MiB. For what is
 * decoded to less than a window the size of the window makes no difference: a distance that is greater than what
 * has been decoded so far is a word of the dictionary in either case (section 8).
 */
export function withSmallWindow(stream: Buffer): Buffer {
  const [first = 0] = stream;
  // Sizes from 256 KiB on have four bits, of which the first is 1 and the others are not 0. A size with less bits
  // would move all that follows, and some of that stands on the boundaries of bytes.
  if ((first & 1) === 0 || (first & 0b1110) === 0) return stream;
  const smaller = Buffer.from(stream);
  smaller[0] = (first & ~0b1110) | 0b0010;
  return smaller;
}
