/** A line without its end; no bytes if it is longer than is taken. */
export interface ByteLine {
  readonly number: number;
  readonly bytes: Buffer | undefined;
}

const LINE_FEED = 0x0a;

/**
 * Lines of a stream, one after the other. Holds no more than one chunk and one line.
 *
 * @param longest longest line that is taken, in bytes; of a longer one nothing is kept
 */
export async function* byteLines(chunks: AsyncIterable<Buffer>, longest: number): AsyncGenerator<ByteLine> {
  let number = 1;
  let pieces: Buffer[] = [];
  let length = 0;
  const keep = (piece: Buffer): void => {
    length += piece.length;
    if (length > longest) pieces = [];
    else if (piece.length > 0) pieces.push(piece);
  };
  const taken = (): ByteLine => {
    const bytes = length > longest ? undefined : pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
    pieces = [];
    length = 0;
    return { number: number++, bytes };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      keep(chunk.subarray(start, end));
      start = end + 1;
      yield taken();
    }
    keep(chunk.subarray(start));
  }
  if (length > 0) yield taken();
}
