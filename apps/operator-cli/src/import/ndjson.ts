import { JsonObjectError, parseJsonObject } from '@petstore/http-server/json';
import { PETSTORE, unread } from '@petstore/portal-formats';
import type { FileRecord } from './check-record.js';

/** Longest line, in bytes: as long as a record of the same format in CSV. */
const LONGEST_LINE = PETSTORE.reading.longestRecord;

const UTF8_MARK = Buffer.from('\uFEFF');

/** Records of a file with a JSON object on each line, read as bodies of requests are. Blank lines are none. */
export async function* ndjsonRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<FileRecord> {
  let line = 0;
  for await (const bytes of linesOf(chunks)) {
    line++;
    if (bytes.length > LONGEST_LINE)
      yield unread(line, `The line is longer than ${LONGEST_LINE / 1024} KiB.`);
    else if (/[^ \t\r]/.test(bytes.toString('latin1'))) yield parse(line, bytes);
  }
}

function parse(line: number, bytes: Buffer): FileRecord {
  try {
    const members = parseJsonObject(bytes, ['name', 'categoryId', 'status', 'profile']);
    const { reference } = (members['profile'] ?? {}) as { readonly reference?: unknown };
    const known = typeof reference === 'string' ? reference : undefined;
    return { ...members, line, reference: known, problems: [], photosLeftOut: 0, shortened: 0 };
  } catch (error) {
    if (!(error instanceof JsonObjectError)) throw error;
    // The message is about a body; here it is a line.
    return unread(line, error.message.replace('The request body', 'The line'));
  }
}

/**
 * Lines without their ends (LF) and without a byte order mark; of one that is too long only as much as shows it. readline
 * would replace what is no UTF-8.
 */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun = Buffer.alloc(0);
  let isFirst = true;
  const whole = (bytes: Buffer): Buffer => {
    const hasMark = isFirst && bytes.subarray(0, UTF8_MARK.length).equals(UTF8_MARK);
    isFirst = false;
    return hasMark ? bytes.subarray(UTF8_MARK.length) : bytes;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      yield whole(Buffer.concat([begun, chunk.subarray(start, end)]));
      begun = Buffer.alloc(0);
      start = end + 1;
    }
    begun = Buffer.concat([begun, chunk.subarray(start)]).subarray(0, LONGEST_LINE + UTF8_MARK.length + 1);
  }
  if (begun.length > 0) yield whole(begun);
}
