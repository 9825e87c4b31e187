import { isUtf8 } from 'node:buffer';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { FormatError, textBytes } from './text-bytes.js';

/** A record of a CSV file (RFC 4180). */
export interface CsvRow {
  /** On which it begins. */
  readonly line: number;
  /** A byte that is no UTF-8 is {@link NO_UTF8}. */
  readonly cells: readonly string[];
  /** Whether the file ends behind it without the end of a line: it may be a part of a record. */
  readonly isUnended: boolean;
}

/** Stands for a byte that is no UTF-8. No text file has it. */
export const NO_UTF8 = '\0';

/** Most cells of a record: ASM3 has some 400, and a column for each field of a shelter's own. */
const MOST_CELLS = 10_000;

const [QUOTE, COMMA, LINE_FEED] = [0x22, 0x2c, 0x0a];

const BEHIND_QUOTE =
  'There is text behind a closing quotation mark; one that is part of a text is written twice.';
const REASONS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'A quotation mark is opened and not closed.',
  CSV_INVALID_CLOSING_QUOTE: BEHIND_QUOTE,
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: BEHIND_QUOTE,
  INVALID_OPENING_QUOTE: 'There is a quotation mark in a text that does not begin with one.',
};

const UNREAD = 'Nothing behind it can be read.';

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
  let lastByte: number | undefined;
  async function* watched(): AsyncGenerator<Buffer> {
    for await (const bytes of wholeCharacters(boundRecords(textBytes(chunks)))) {
      lastByte = bytes.at(-1);
      yield bytes;
    }
  }
  const parser = parse({
    bom: true,
    trim: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n'],
    max_record_size: longest,
    on_record: (cells, info) => {
      const text = cells.join();
      // The parser counts the characters of cells, and not the commas between.
      if (Buffer.byteLength(text) > longest)
        throw new CsvError('CSV_MAX_RECORD_SIZE', 'The record is too long.');
      const line = nextLine + info.empty_lines - emptyLines;
      nextLine = line + text.split('\n').length;
      emptyLines = info.empty_lines;
      // The parser's types know records of strings only.
      return { line, cells } as never;
    },
  });
  // An error of the chunks is one of the parser, too.
  pipeline(watched(), parser, () => undefined);
  // The last one is known when there is no other: only then whether the file ends in it.
  let last: Omit<CsvRow, 'isUnended'> | undefined;
  try {
    for await (const row of parser as AsyncIterable<Omit<CsvRow, 'isUnended'>>) {
      if (last !== undefined && !isBlank(last.cells)) yield { ...last, isUnended: false };
      last = row;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = nextLine + parser.info.empty_lines - emptyLines;
    const reason =
      error.code === 'CSV_MAX_RECORD_SIZE'
        ? `The record is longer than ${longest / 1024} KiB; is a quotation mark not closed?`
        : (REASONS[error.code] ?? 'It is not well-formed CSV.');
    throw new FormatError(`line ${line}: ${reason} ${UNREAD}`);
  }
  if (last !== undefined && !isBlank(last.cells)) yield { ...last, isUnended: lastByte !== LINE_FEED };
}

/** Spreadsheets write as many empty rows as they have ever had. */
function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

/** Counts the cells of a record as they come: the parser holds them all. @throws {FormatError} */
async function* boundRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isQuoted = false;
  let commas = 0;
  let line = 1;
  let lines = 0;
  for await (const bytes of chunks) {
    for (const byte of bytes) {
      if (byte === LINE_FEED) lines++;
      if (byte === QUOTE) isQuoted = !isQuoted;
      else if (!isQuoted && byte === LINE_FEED) [commas, line] = [0, lines + 1];
      else if (!isQuoted && byte === COMMA && ++commas >= MOST_CELLS)
        throw new FormatError(`line ${line}: The record has more than ${MOST_CELLS} cells. ${UNREAD}`);
    }
    yield bytes;
  }
}

/** The same bytes without a character that is cut, and with {@link NO_UTF8} for what is none. */
async function* wholeCharacters(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([begun, chunk]);
    // The last character waits for its end, unless it is of one byte.
    let end = bytes.length;
    for (let at = end - 1; at >= Math.max(0, bytes.length - 4); at--) {
      const byte = bytes[at] ?? 0;
      if (byte >= 0xc0) end = at;
      if (byte < 0x80 || byte >= 0xc0) break;
    }
    begun = bytes.subarray(end);
    if (end > 0) yield withMarks(bytes.subarray(0, end));
  }
  if (begun.length > 0) yield withMarks(begun);
}

/** U+FFFD, which decoding gives for what is no UTF-8, and which a file may have. */
const REPLACEMENT = Buffer.from('\uFFFD').toString('latin1');

function withMarks(bytes: Buffer): Buffer {
  if (isUtf8(bytes)) return bytes;
  const parts = bytes.toString('latin1').split(REPLACEMENT);
  const marked = parts.map((part) => Buffer.from(part, 'latin1').toString().replaceAll('\uFFFD', NO_UTF8));
  return Buffer.from(marked.join('\uFFFD'));
}
