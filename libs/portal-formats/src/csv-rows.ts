import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';

/** A file cannot be read from some line on, or at all. The message is for the person who has the file. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
}

/** A record of a CSV file (RFC 4180). */
export interface CsvRow {
  /** On which it begins. */
  readonly line: number;
  /** A character for each byte, so that what is not UTF-8 is noticed: see {@link decoded}. */
  readonly cells: readonly string[];
}

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const UTF16_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/** The bytes without their byte order mark (Unicode, section 23.8). @throws {FormatError} for UTF-16 */
export async function* withoutMark(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst && UTF16_MARKS.some((mark) => chunk.subarray(0, mark.length).equals(mark)))
      throw new FormatError('The file is encoded in UTF-16: save it in UTF-8.');
    const hasMark = isFirst && chunk.subarray(0, UTF8_MARK.length).equals(UTF8_MARK);
    yield hasMark ? chunk.subarray(UTF8_MARK.length) : chunk;
    isFirst = false;
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
// Latin-1's upper half, of which every other character of UTF-8 is made.
const NOT_ASCII = /[\u0080-\u00FF]/;

/** The text of a cell; `undefined` when it is not UTF-8. */
export function decoded(cell: string): string | undefined {
  if (!NOT_ASCII.test(cell)) return cell;
  try {
    return UTF8.decode(Buffer.from(cell, 'latin1'));
  } catch {
    return undefined;
  }
}

function reasonOf(code: string, longest: number): string {
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'A quotation mark is opened and not closed.';
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'There is text behind a closing quotation mark; one that is part of a text is written twice.';
    case 'INVALID_OPENING_QUOTE':
      return 'There is a quotation mark in a text that does not begin with one.';
    case 'CSV_MAX_RECORD_SIZE':
      return `The record is longer than ${longest / 1024} KiB; is a quotation mark not closed?`;
    default:
      return 'It is not well-formed CSV.';
  }
}

/**
 * Records of a CSV file; rows of nothing but commas and white space are none. White space around a cell
 * is no part of it, unless the cell is in quotation marks. Holds no more than a chunk, its records, and one that has not ended.
 *
 * @param longest most bytes of a record
 * @throws {FormatError} also in the middle, when nothing can be told of what follows
 */
export async function* readRows(chunks: AsyncIterable<Buffer>, longest: number): AsyncGenerator<CsvRow> {
  // Where the next record begins, apart from empty lines before it. Cells may have line ends in them, of which the
  // parser's own count takes CRLF for two.
  let nextLine = 1;
  let emptyLines = 0;
  const parser = parse({
    encoding: 'latin1',
    trim: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n'],
    max_record_size: longest,
    on_record: (cells, info) => {
      const text = cells.join();
      // The parser counts the bytes of cells, and not the commas between.
      if (text.length > longest) throw new CsvError('CSV_MAX_RECORD_SIZE', 'The record is too long.');
      const line = nextLine + info.empty_lines - emptyLines;
      nextLine = line + text.split('\n').length;
      emptyLines = info.empty_lines;
      // Spreadsheets write as many empty rows as they have ever had. The parser's types know records of strings only.
      return isBlank(cells) ? null : ({ line, cells } as never);
    },
  });
  // An error of the chunks is one of the parser, too.
  pipeline(chunks, parser, () => undefined);
  try {
    yield* parser as AsyncIterable<CsvRow>;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = nextLine + parser.info.empty_lines - emptyLines;
    throw new FormatError(`line ${line}: ${reasonOf(error.code, longest)} Nothing behind it can be read.`);
  }
}

function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell === '' || decoded(cell)?.trim() === '');
}
