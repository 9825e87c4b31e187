import { finished } from 'node:stream';
import { CsvError, parse, type Parser } from 'csv-parse';
import { LONGEST_RECORD } from './stock-record.js';

/** A record of a CSV file. */
export interface Row {
  /** Empty lines of the file before it. */
  readonly emptyLines: number;
  /** Bytes, so that what is not UTF-8 is noticed. */
  readonly record: readonly Buffer[];
}

/** Those before an error, too: the parser's own stream would lose what has not been read yet. */
export async function* rowsOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Row> {
  const rows: Row[] = [];
  const parser = parse({
    encoding: null,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n'],
    max_record_size: LONGEST_RECORD,
    // Its types know nothing of bytes, which `encoding: null` makes of the fields.
    on_record: (record: unknown, { empty_lines: emptyLines }) => {
      rows.push({ record: record as Buffer[], emptyLines });
      return null;
    },
  });
  // What `written` rejects with is enough.
  parser.on('error', () => undefined).resume();
  const unfinished = new UnfinishedRecord();
  let emptyLines = 0;
  try {
    for await (const chunk of chunks) {
      const failure = await written(parser, chunk);
      unfinished.add(chunk.length, rows.length > 0 || parser.info.empty_lines > emptyLines);
      emptyLines = parser.info.empty_lines;
      yield* taken(rows.splice(0));
      if (failure !== undefined) throw failure;
      if (unfinished.isTooLong) throw tooLong();
    }
    const failure = await written(parser);
    yield* taken(rows.splice(0));
    if (failure !== undefined) throw failure;
  } finally {
    parser.destroy();
  }
}

/** Those before one that is too long: of bytes the parser only limits each field. */
function* taken(rows: readonly Row[]): Generator<Row> {
  for (const row of rows) {
    if (row.record.reduce((sum, field) => sum + field.length, row.record.length - 1) > LONGEST_RECORD)
      throw tooLong();
    yield row;
  }
}

function tooLong(): CsvError {
  return new CsvError('CSV_MAX_RECORD_SIZE', 'The record is too long.');
}

/** A record that has not ended, of which the parser keeps every field. */
class UnfinishedRecord {
  private bytes = 0;

  /** @param hasEnded whether a record or an empty line has ended in these bytes */
  add(bytes: number, hasEnded: boolean): void {
    this.bytes = hasEnded ? 0 : this.bytes + bytes;
  }

  /** Each empty field in quotation marks counts as one byte and takes three. */
  get isTooLong(): boolean {
    return this.bytes > 4 * LONGEST_RECORD;
  }
}

/** Resolves when a chunk, or the end, has been parsed; to the error if there is one. */
function written(parser: Parser, chunk?: Buffer): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const end = (error?: Error | null): void => {
      resolve(error ?? undefined);
    };
    if (chunk !== undefined) parser.write(chunk, end);
    else finished(parser.end(), { readable: false }, end);
  });
}
