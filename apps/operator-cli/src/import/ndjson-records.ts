import { JsonObjectError, parseJsonObject } from '@petstore/http-server/json';
import { PETSTORE } from '@petstore/portal-formats';
import { MEMBERS, type StockRecord } from './stock-record.js';

/** Longest record, in bytes. */
const LONGEST_RECORD = PETSTORE.reading?.longestRecord ?? 0;

const LINE_FEED = 0x0a;

/** White space of JSON (RFC 8259, section 2). */
const BLANK: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d]);

/** Records of a file with a JSON object on each line, read as bodies of requests are. Blank lines are none. */
export async function* ndjsonRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<StockRecord> {
  let line = 0;
  for await (const bytes of linesOf(chunks)) {
    line++;
    if (bytes === undefined) yield unread(line, `The line is longer than ${LONGEST_RECORD / 1024} KiB.`);
    else if (!bytes.every((byte) => BLANK.has(byte))) yield parse(line, bytes);
  }
}

function parse(line: number, bytes: Buffer): StockRecord {
  try {
    const { profile, ...members } = parseJsonObject(bytes, [...MEMBERS, 'profile']);
    const { reference } = (profile ?? {}) as { readonly reference?: unknown };
    return {
      line,
      members: { ...members, profile },
      reference: typeof reference === 'string' ? reference : undefined,
      isOfSpecies: false,
      fieldOf: (path) => `profile.${path}`,
      flaws: [],
      photosLeftOut: 0,
    };
  } catch (error) {
    if (!(error instanceof JsonObjectError)) throw error;
    // The message is about a body; here it is a line.
    return unread(line, error.message.replace('The request body', 'The line'));
  }
}

function unread(line: number, reason: string): StockRecord {
  return { line, flaws: [{ reason }], isOfSpecies: false, fieldOf: (path) => path, photosLeftOut: 0 };
}

/**
 * Lines without their ends; `undefined` for one that is longer than a record may be. Holds no more than a chunk and a
 * line: readline would keep one of any length, and replace what is not UTF-8.
 */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer | undefined> {
  let pieces: Buffer[] = [];
  let length = 0;
  const keep = (piece: Buffer): void => {
    length += piece.length;
    if (length > LONGEST_RECORD) pieces = [];
    else pieces.push(piece);
  };
  const taken = (): Buffer | undefined => {
    const bytes = length > LONGEST_RECORD ? undefined : Buffer.concat(pieces);
    pieces = [];
    length = 0;
    return bytes;
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
