import type { AnimalRecord } from './animal.js';
import { decoded, FormatError, readRows, withoutMark } from './csv-rows.js';
import type { Reading } from './format.js';
import { type ReadOptions, Row } from './row.js';

/**
 * The animals of a CSV file in its order.
 *
 * @throws {FormatError} when the file cannot be read from some line on, or at all
 */
export async function* readAnimals(
  reading: Reading,
  chunks: AsyncIterable<Buffer>,
  options: ReadOptions = {},
): AsyncGenerator<AnimalRecord> {
  let open: AnimalRecord | undefined;
  for await (const record of readRecords(reading, chunks, options)) {
    if (open !== undefined && reading.hasFurtherRows === true && isFurtherRow(open, record)) {
      open = joined(open, record);
      continue;
    }
    if (open !== undefined) yield open;
    open = record;
  }
  if (open !== undefined) yield open;
}

/** Whether a row has data of an animal, and not only its key, its name and a photo. */
function hasData({ profile, problems, status = 'available' }: AnimalRecord): boolean {
  return (
    problems.length > 0 ||
    status !== 'available' ||
    Object.entries(profile).some(([name, value]) => value !== undefined && name !== 'photos')
  );
}

/** Whether a row is a further one of an animal: of two with data, only if it is the same. */
function isFurtherRow(open: AnimalRecord, record: AnimalRecord): boolean {
  if (record.reference === undefined || record.reference !== open.reference) return false;
  const dataOf = ({ name, status, profile }: AnimalRecord): string =>
    JSON.stringify([name, status, { ...profile, photos: undefined }]);
  return !hasData(open) || !hasData(record) || dataOf(open) === dataOf(record);
}

/** Rows of one animal: the first with its data counts, and the photos of all. */
function joined(first: AnimalRecord, further: AnimalRecord): AnimalRecord {
  const counting = hasData(first) || !hasData(further) ? first : further;
  const photos = [...(first.profile.photos ?? []), ...(further.profile.photos ?? [])];
  return {
    ...counting,
    line: first.line,
    profile: { ...counting.profile, ...(photos.length > 0 && { photos }) },
    photosLeftOut: first.photosLeftOut + further.photosLeftOut,
  };
}

async function* readRecords(
  reading: Reading,
  chunks: AsyncIterable<Buffer>,
  options: ReadOptions,
): AsyncGenerator<AnimalRecord> {
  let header: Header | undefined;
  for await (const { line, cells } of readRows(withoutMark(chunks), reading.longestRecord)) {
    if (header === undefined) {
      header = headerOf(cells, reading);
      if (header.ignored.length > 0) options.ignored?.(header.ignored);
      continue;
    }
    const row = new Row(cells, header.places, options);
    const values = reading.read(row);
    const { problems, photosLeftOut } = row;
    if (cells.slice(header.length).some((cell) => cell.trim() !== ''))
      problems.unshift({
        reason: `It has ${cells.length} fields; the first line names ${header.length} columns.`,
      });
    yield { line, ...values, problems, photosLeftOut };
  }
  if (header === undefined)
    throw new FormatError('The file is empty: its first line has to name the columns.');
}

interface Header {
  readonly length: number;
  /** Where each column is that is read. */
  readonly places: ReadonlyMap<string, number>;
  /** Names of columns that are unknown. */
  readonly ignored: readonly string[];
}

/** @throws {FormatError} */
function headerOf(cells: readonly string[], { columns, required, known: belongs }: Reading): Header {
  if (cells.some((cell) => cell.includes('\r')))
    throw new FormatError('line 1: It has a carriage return. Lines end with LF or CRLF.');
  const names = cells.map((cell) => (decoded(cell) ?? cell).trim());
  const known = new Map(columns.map((column) => [column.toLowerCase(), column]));
  const places = new Map<string, number>();
  const seen = new Set<string>();
  for (const [at, name] of names.entries()) {
    const key = name.toLowerCase();
    const column = known.get(key);
    if (key !== '' && seen.has(key))
      throw new FormatError(`line 1: There are two columns ${column ?? name}.`);
    seen.add(key);
    if (column !== undefined) places.set(column, at);
  }
  const missing = required.filter((alternatives) => !alternatives.some((name) => places.has(name)));
  if (missing.length > 0) {
    const lacks = missing.map((alternatives) => alternatives.join(' or ')).join(' and no column ');
    throw new FormatError(
      `line 1: There is no column ${lacks}. The first line names the columns, separated by commas. ` +
        `It has: ${names.join(', ').slice(0, 200)}`,
    );
  }
  const isUnknown = (name: string): boolean => !known.has(name.toLowerCase()) && belongs?.test(name) !== true;
  const ignored = names.filter((name) => name !== '' && isUnknown(name));
  return { length: names.length, places, ignored };
}
