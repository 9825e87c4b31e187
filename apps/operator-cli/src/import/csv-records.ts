import { isUtf8 } from 'node:buffer';
import { pipeline } from 'node:stream';
import { VisibleText } from '@petstore/api-key';
import { JsonNumber } from '@petstore/http-server/json';
import type { Day, NewPet } from '@petstore/pet-domain';
import { CsvError, parse, type Parser } from 'csv-parse';
import { PROFILE_COLUMNS, readProfileCells } from './profile-columns.js';
import { StockFileError } from '../errors.js';
import { LONGEST_RECORD, MEMBERS, REQUIRED, type StockRecord } from './stock-record.js';

/** A number as JSON writes it (RFC 8259, section 6), but without an exponent: a spreadsheet writes one when it has rounded. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

const REASONS: Readonly<Partial<Record<string, string>>> = {
  CSV_QUOTE_NOT_CLOSED: 'A quotation mark is opened and not closed.',
  CSV_INVALID_CLOSING_QUOTE:
    'There is text behind a closing quotation mark; one that is part of a text is written twice.',
  INVALID_OPENING_QUOTE: 'There is a quotation mark in a text that does not begin with one.',
  CSV_MAX_RECORD_SIZE: `The record is longer than ${LONGEST_RECORD / 1024} KiB; is a quotation mark not closed?`,
};

/**
 * Records of a CSV file (RFC 4180) whose first one names the columns. Holds no more than a chunk, its records, and one
 * that has not ended.
 *
 * @param ignored is told the names of columns that are no members of an animal or its profile
 * @throws {StockFileError} also in the middle, when nothing can be told of what follows
 */
export async function* csvRecords(
  chunks: AsyncIterable<Buffer>,
  latestBirth: Day,
  ignored: (columns: readonly string[]) => void,
): AsyncGenerator<StockRecord> {
  let columns: Columns | undefined;
  // Where the next record begins, apart from empty lines before it. Fields may have line ends in them, of which the
  // parser's own count takes CRLF for two.
  let nextLine = 1;
  let emptyLines = 0;
  const parser = parse({
    // A character for each byte, so that lengths are in bytes, and what is not UTF-8 is noticed.
    encoding: 'latin1',
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n'],
    max_record_size: LONGEST_RECORD,
    on_record: (fields, info) => {
      const text = fields.join();
      if (text.length > LONGEST_RECORD) throw tooLong();
      const line = nextLine + info.empty_lines - emptyLines;
      nextLine = line + text.split('\n').length;
      emptyLines = info.empty_lines;
      if (columns !== undefined) {
        // Spreadsheets write as many empty rows as they have ever had.
        if (fields.every((field) => textOf(field).trim() === '')) return null;
        const record: StockRecord = { line, ...read(fields, columns, latestBirth) };
        // The parser's types know records of strings only.
        return record as never;
      }
      columns = columnsOf(fields, ignored);
      return null;
    },
  });
  // An error of the chunks is one of the parser, too.
  pipeline(bounded(chunks, parser), parser, () => undefined);
  try {
    yield* parser as AsyncIterable<StockRecord>;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const reason = REASONS[error.code] ?? 'It is not well-formed CSV.';
    throw new StockFileError(
      `line ${nextLine}: ${reason} Nothing behind it can be read, and nothing was imported of it.`,
    );
  }
  if (nextLine === 1) throw new StockFileError('The file is empty: its first line has to name the columns.');
}

/** Ends a record without end: the parser limits the bytes of its fields, but keeps ever more empty ones. */
async function* bounded(chunks: AsyncIterable<Buffer>, { info }: Parser): AsyncGenerator<Buffer> {
  let ended = 0;
  let unfinished = 0;
  for await (const chunk of chunks) {
    yield chunk;
    const hasEnded = info.records + info.empty_lines > ended;
    unfinished = hasEnded ? 0 : unfinished + chunk.length;
    ended = info.records + info.empty_lines;
    // Each empty field in quotation marks counts as one byte and takes three.
    if (unfinished > 4 * LONGEST_RECORD) throw tooLong();
  }
}

function tooLong(): CsvError {
  return new CsvError('CSV_MAX_RECORD_SIZE', 'The record is too long.');
}

const ALL_COLUMNS: readonly string[] = [...MEMBERS, ...PROFILE_COLUMNS];

/** The member in each column; `undefined` for a column that is none. */
type Columns = readonly (string | undefined)[];

/** @throws {StockFileError} */
function columnsOf(fields: readonly string[], ignored: (columns: readonly string[]) => void): Columns {
  if (fields.some((field) => field.includes('\r')))
    throw new StockFileError('line 1: It has a carriage return. Lines end with LF or CRLF.');
  const names = fields.map((field) => textOf(field).trim());
  const columns = names.map((name) => ALL_COLUMNS.find((column) => column === name));
  const twice = columns.find((name, at) => name !== undefined && columns.indexOf(name) !== at);
  if (twice !== undefined) throw new StockFileError(`line 1: There are two columns ${twice}.`);
  const missing = REQUIRED.filter((name) => !columns.includes(name));
  if (missing.length > 0) {
    const list = VisibleText.escape(names.join(', ').slice(0, 200));
    throw new StockFileError(
      `line 1: There is no column ${missing.join(' and no column ')}. The first line names the columns, separated by ` +
        `commas: ${MEMBERS.join(',')}. It has: ${list}`,
    );
  }
  const others = names.filter((_, at) => columns[at] === undefined);
  if (others.length > 0) ignored(others);
  return columns;
}

function read(fields: readonly string[], columns: Columns, latestBirth: Day): Omit<StockRecord, 'line'> {
  const { length } = columns;
  if (fields.length !== length)
    return { flaws: [{ reason: `It has ${fields.length} fields; the first line names ${length} columns.` }] };
  const members: Partial<Record<keyof NewPet, unknown>> = {};
  const profileCells = new Map<string, string>();
  for (const [at, field] of fields.entries()) {
    const name = columns[at];
    if (name === undefined) continue;
    const bytes = bytesOf(field);
    if (!isUtf8(bytes)) return { flaws: [{ field: name, reason: 'must be encoded in UTF-8' }] };
    const text = bytes.toString('utf8');
    if (isMember(name)) members[name] = valueOf(name, text);
    else profileCells.set(name, text);
  }
  if (profileCells.size === 0) return { members, flaws: [] };
  const { profile, flaws } = readProfileCells(profileCells, latestBirth);
  return { members: { ...members, profile }, flaws };
}

function isMember(name: string): name is keyof NewPet {
  return (MEMBERS as readonly string[]).includes(name);
}

function bytesOf(field: string): Buffer {
  return Buffer.from(field, 'latin1');
}

function textOf(field: string): string {
  return bytesOf(field).toString('utf8');
}

/** A field as JSON would have it: CSV knows no numbers, and no members that are missing. White space belongs to names only. */
function valueOf(name: keyof NewPet, field: string): unknown {
  if (name === 'name') return field;
  const text = field.trim();
  if (text === '') return undefined;
  return name === 'categoryId' && JSON_NUMBER.test(text) ? new JsonNumber(text) : text;
}
