/** A file cannot be read from some line on, or at all. The message is for the person who has the file. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
}

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const UTF16_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];
const LINE_FEED = 0x0a;
/** Ctrl-Z: how some programs of DOS and Windows end a text. */
const END_OF_TEXT = 0x1a;
/** Most signs of the end that are held back until it is known whether it is the end. */
const MOST_HELD = 65_536;

/**
 * The bytes of a text file, without its byte order mark (Unicode, section 23.8) and without a Ctrl-Z at its end.
 *
 * @throws {FormatError} for UTF-16, and for a NUL: the rest of a write that was torn, and in no text
 */
export async function* textBytes(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let line = 1;
  let held = Buffer.alloc(0);
  for await (const bytes of withoutMark(chunks)) {
    const nul = bytes.indexOf(0);
    if (nul !== -1)
      throw new FormatError(
        `line ${line + lineFeedsOf(bytes.subarray(0, nul))}: It has a NUL, and so was not written to its end, or is no text.`,
      );
    line += lineFeedsOf(bytes);
    let end = bytes.length;
    while (end > 0 && bytes[end - 1] === END_OF_TEXT) end--;
    if (held.length > 0 && (end > 0 || held.length > MOST_HELD)) {
      yield held;
      held = Buffer.alloc(0);
    }
    if (end > 0) yield bytes.subarray(0, end);
    held = Buffer.concat([held, bytes.subarray(end)]);
  }
}

async function* withoutMark(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < UTF8_MARK.length) continue;
    yield unmarked(head);
    head = undefined;
  }
  if (head !== undefined) yield unmarked(head);
}

function unmarked(head: Buffer): Buffer {
  const begins = (mark: Buffer): boolean => head.subarray(0, mark.length).equals(mark);
  if (UTF16_MARKS.some(begins)) throw new FormatError('The file is encoded in UTF-16: save it in UTF-8.');
  return begins(UTF8_MARK) ? head.subarray(UTF8_MARK.length) : head;
}

function lineFeedsOf(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}
