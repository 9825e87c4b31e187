/** Writes bits as deflate and Brotli do: the lowest of each byte first. */
class BitWriter {
  private readonly bytes: number[] = [];
  private bits = 0;

  get length(): number {
    return this.bytes.length;
  }

  write(value: number, count: number): this {
    for (let i = 0; i < count; i++, this.bits++) {
      if (this.bits % 8 === 0) this.bytes.push(0);
      this.bytes[this.length - 1] = (this.bytes.at(-1) ?? 0) | (((value >> i) & 1) << (this.bits % 8));
    }
    return this;
  }

  toBuffer(): Buffer {
    return Buffer.from(this.bytes);
  }
}

/** Positions in which deflate gives the lengths of code lengths (RFC 1951, section 3.2.7), as far as needed here. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1];

/** A deflate stream of blocks that each bring new codes and use none of them. */
export function deflateOfUnusedCodes(bytes: number): Buffer {
  const writer = new BitWriter().write(0x9c78, 16);
  while (writer.length < bytes - 12) {
    writer
      .write(0, 1)
      .write(2, 2)
      .write(0, 5)
      .write(0, 5)
      .write(ORDER.length - 4, 4);
    for (const symbol of ORDER) writer.write(symbol === 18 || symbol === 1 ? 1 : 0, 3);
    // 256 literals without a code; the end of the block and one distance with a code of one bit; the end.
    writer
      .write(1, 1)
      .write(138 - 11, 7)
      .write(1, 1)
      .write(118 - 11, 7)
      .write(0, 2)
      .write(0, 1);
  }
  return writer.toBuffer();
}

/** A prefix code of one symbol, which then takes no bits (RFC 7932, section 3.4). */
const oneSymbol = (writer: BitWriter, symbol: number, bits: number): BitWriter =>
  writer.write(1, 2).write(0, 2).write(symbol, bits);

/** The number 256 where a meta-block says how many types or trees there are (RFC 7932, section 9.2). */
const all256 = (writer: BitWriter): BitWriter => writer.write(1, 1).write(7, 3).write(127, 7);

/** A Brotli stream, cut off, of meta-blocks that each bring a context map of 16,384 entries for one byte of text. */
export function brotliOfContextMaps(bytes: number): Buffer {
  const writer = new BitWriter().write(0, 1);
  while (writer.length < bytes) {
    writer.write(0, 1).write(0, 2).write(0, 16).write(0, 1);
    oneSymbol(oneSymbol(all256(writer), 0, 9), 0, 5)
      .write(0, 2)
      .write(0, 2)
      .write(0, 6);
    for (let type = 0; type < 256; type++) writer.write(0, 2);
    oneSymbol(all256(writer).write(0, 1), 255, 8).write(1, 1).write(0, 1);
    for (let tree = 0; tree < 256; tree++) oneSymbol(writer, 0x20, 8);
    oneSymbol(oneSymbol(writer, 8, 10), 0, 6);
  }
  return writer.toBuffer().subarray(0, bytes);
}
