import { type JsonObject, JsonObjectError, parseJsonObject } from '@petstore/http-server/json';
import { byteLines } from './byte-lines.js';
import { MEMBERS } from './new-pet.reader.js';
import { type Flaw, LONGEST_RECORD, type StockRecord } from './stock-record.js';

/** White space of JSON (RFC 8259, section 2). */
const BLANK: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d]);

/** Records of a file with a JSON object on each line, read as bodies of requests are. Blank lines are none. */
export async function* ndjsonRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<StockRecord> {
  for await (const { number: line, bytes } of byteLines(chunks, LONGEST_RECORD)) {
    if (bytes === undefined)
      yield { line, flaw: { reason: `The line is longer than ${LONGEST_RECORD / 1024} KiB.` } };
    else if (!bytes.every((byte) => BLANK.has(byte))) yield { line, ...parse(bytes) };
  }
}

function parse(bytes: Buffer): { readonly members: JsonObject } | { readonly flaw: Flaw } {
  try {
    return { members: parseJsonObject(bytes, MEMBERS) };
  } catch (error) {
    if (!(error instanceof JsonObjectError)) throw error;
    // What is a body there is a line here.
    return { flaw: { reason: error.message.replace('The request body', 'The line') } };
  }
}
