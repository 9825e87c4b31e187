/** A file cannot be read from some line on, or at all. The message is for the person who has the file. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
}

const LINE_FEED = 0x0a;
/** Ctrl-Z: how some programs of DOS and Windows end a text; an editor may have put a line end behind it. */
const END_OF_TEXT = 0x1a;
const ENDINGS: ReadonlySet<number> = new Set([END_OF_TEXT, LINE_FEED, 0x0d]);
/** Most bytes of an ending that are given back where it was not the end. */
const MOST_HELD = 65_536;

/**
 * The bytes of a text file without a Ctrl-Z at its end, and line ends behind it.
 *
 * @throws {FormatError} for a NUL, which is in no text: UTF-16, or the rest of a write that was torn
 */
export async function* textBytes(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let line = 1;
  let held: Buffer = Buffer.alloc(0);
  for await (const bytes of chunks) {
    const nul = bytes.indexOf(0);
    if (nul !== -1)
      throw new FormatError(
        `line ${line + lineFeedsOf(bytes.subarray(0, nul))}: It has a NUL, and so was not written to its end, or is ` +
          'encoded in UTF-16: save it in UTF-8.',
      );
    line += lineFeedsOf(bytes);
    const all = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
    const ending = all.indexOf(END_OF_TEXT, all.findLastIndex((byte) => !ENDINGS.has(byte)) + 1);
    const end = ending === -1 ? all.length : ending;
    if (end > 0) yield all.subarray(0, end);
    held = all.subarray(end, end + MOST_HELD);
  }
}

function lineFeedsOf(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}
