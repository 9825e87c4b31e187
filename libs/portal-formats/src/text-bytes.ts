/** A file cannot be read from some line on, or at all. The message is for the person who has the file. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
}

const LINE_FEED = 0x0a;
/** Ctrl-Z: how some programs of DOS and Windows end a text. */
const END_OF_TEXT = 0x1a;
/** Most signs of the end that are given back where it was not the end. */
const MOST_HELD = 65_536;

/**
 * The bytes of a text file without a Ctrl-Z at its end.
 *
 * @throws {FormatError} for a NUL, which is in no text: UTF-16, or the rest of a write that was torn
 */
export async function* textBytes(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let line = 1;
  let held = 0;
  for await (const bytes of chunks) {
    const nul = bytes.indexOf(0);
    if (nul !== -1)
      throw new FormatError(
        `line ${line + lineFeedsOf(bytes.subarray(0, nul))}: It has a NUL, and so was not written to its end, or is ` +
          'encoded in UTF-16: save it in UTF-8.',
      );
    line += lineFeedsOf(bytes);
    const end = bytes.findLastIndex((byte) => byte !== END_OF_TEXT) + 1;
    if (end > 0) {
      if (held > 0) yield Buffer.alloc(Math.min(held, MOST_HELD), END_OF_TEXT);
      yield bytes.subarray(0, end);
      held = 0;
    }
    held += bytes.length - end;
  }
}

function lineFeedsOf(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}
