import { isUtf8 } from 'node:buffer';
import { VisibleText } from '@petstore/api-key';
import { JsonNumber } from '@petstore/http-server/json';
import type { NewPet } from '@petstore/pet-domain';
import { CsvError } from 'csv-parse';
import { type Row, rowsOf } from './csv-rows.js';
import { MEMBERS, REQUIRED } from './new-pet.reader.js';
import { StockFileError } from './stock-file.errors.js';
import { type Flaw, LONGEST_RECORD, type StockRecord } from './stock-record.js';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A number as JSON writes it (RFC 8259, section 6): what a body may have. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Records of a CSV file (RFC 4180) whose first one names the columns.
 *
 * @param ignored is told the names of columns that are no members of an animal
 * @throws {StockFileError} also in the middle, when nothing can be told of what follows
 */
export async function* csvRecords(
  chunks: AsyncIterable<Buffer>,
  ignored: (columns: readonly string[]) => void,
): AsyncGenerator<StockRecord> {
  const lines = new LineCount();
  let header: Header | undefined;
  try {
    for await (const row of rowsOf(chunks)) {
      const line = lines.begin(row);
      if (header === undefined) {
        header = new Header(row.record);
        if (header.others.length > 0) ignored(header.others);
      } else {
        yield { line, ...header.read(row.record) };
      }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const reason = REASONS[error.code] ?? `It is not well-formed CSV.`;
    throw new StockFileError(
      `line ${lines.next}: ${reason} Nothing behind it can be read, and nothing was imported of it.`,
    );
  }
  if (header === undefined)
    throw new StockFileError('The file is empty: its first line has to name the columns.');
}

const REASONS: Readonly<Partial<Record<string, string>>> = {
  CSV_QUOTE_NOT_CLOSED: 'A quotation mark is opened and not closed.',
  CSV_INVALID_CLOSING_QUOTE:
    'There is text behind a closing quotation mark; one that is part of a text is written twice.',
  INVALID_OPENING_QUOTE: 'There is a quotation mark in a text that does not begin with one.',
  CSV_MAX_RECORD_SIZE: `The record is longer than ${LONGEST_RECORD / 1024} KiB; is a quotation mark not closed?`,
};

/** Lines on which records begin: fields may have line ends in them, and there are empty lines between records. */
class LineCount {
  /** Where the next record begins, apart from empty lines before it. */
  next = 1;
  private empty = 0;

  /** The line on which a row begins. */
  begin({ emptyLines, record }: Row): number {
    const line = this.next + emptyLines - this.empty;
    this.empty = emptyLines;
    this.next = line + 1 + record.reduce((sum, field) => sum + count(field), 0);
    return line;
  }
}

function count(field: Buffer): number {
  let lines = 0;
  for (let at = field.indexOf(LINE_FEED); at !== -1; at = field.indexOf(LINE_FEED, at + 1)) lines++;
  return lines;
}

/** Which column is which member. */
class Header {
  /** Columns that are no members. */
  readonly others: readonly string[];
  private readonly columns: readonly (keyof NewPet | undefined)[];

  /** @throws {StockFileError} */
  constructor(private readonly record: readonly Buffer[]) {
    if (record.some((name) => name.includes(CARRIAGE_RETURN)))
      throw new StockFileError('line 1: It has a carriage return. Lines end with LF or CRLF.');
    const names = record.map((name) => name.toString('utf8').trim());
    const known: ReadonlySet<string> = new Set(MEMBERS);
    this.columns = names.map((name) => (known.has(name) ? (name as keyof NewPet) : undefined));
    this.others = names.filter((name) => !known.has(name));
    const twice = this.columns.find((name, at) => name !== undefined && this.columns.indexOf(name) !== at);
    if (twice !== undefined) throw new StockFileError(`line 1: There are two columns ${twice}.`);
    const missing = REQUIRED.filter((name) => !this.columns.includes(name));
    if (missing.length === 0) return;
    const list = VisibleText.escape(names.join(', ').slice(0, 200));
    throw new StockFileError(
      `line 1: There is no column ${missing.join(' and no column ')}. The first line names the columns, separated by ` +
        `commas: ${MEMBERS.join(',')}. It has: ${list}`,
    );
  }

  read(fields: readonly Buffer[]): { readonly members: Record<string, unknown> } | { readonly flaw: Flaw } {
    const { length } = this.record;
    if (fields.length !== length)
      return { flaw: { reason: `It has ${fields.length} fields; the first line names ${length} columns.` } };
    const members: Record<string, unknown> = {};
    for (const [at, name] of this.columns.entries()) {
      const field = fields[at];
      if (name === undefined || field === undefined) continue;
      if (!isUtf8(field)) return { flaw: { field: name, reason: 'must be encoded in UTF-8' } };
      members[name] = valueOf(name, field.toString('utf8'));
    }
    return { members };
  }
}

/** A field as JSON would have it: CSV knows no numbers, and no members that are missing. */
function valueOf(name: keyof NewPet, text: string): unknown {
  if (name === 'name') return text;
  if (text === '') return undefined;
  return name === 'categoryId' && JSON_NUMBER.test(text) ? new JsonNumber(text) : text;
}
