import { PetProfile } from '@petstore/pet-domain';
import type { AnimalRecord } from './animal.js';
import { readRows } from './csv-rows.js';
import type { Reading } from './format.js';
import { type ReadOptions, Row } from './row.js';
import { FormatError } from './text-bytes.js';

/**
 * The animals of a CSV file in its order. The same bytes give the same records, however they are cut into chunks.
 *
 * @throws {FormatError} when the file cannot be read from some line on, or at all
 */
export async function* readAnimals(
  reading: Reading,
  chunks: AsyncIterable<Buffer>,
  options: ReadOptions = {},
): AsyncGenerator<AnimalRecord> {
  let animal: AnimalRecord | undefined;
  for await (const record of readRecords(reading, chunks, options)) {
    if (animal !== undefined && reading.hasFurtherRows === true && areOfOne(animal, record))
      animal = joined(animal, record);
    else {
      if (animal !== undefined) yield animal;
      animal = record;
    }
  }
  if (animal !== undefined) yield animal;
}

/** Whether two rows that follow each other are of one animal: of two with data, only if it is the same. */
function areOfOne(first: AnimalRecord, next: AnimalRecord): boolean {
  if (first.reference === undefined || first.reference !== next.reference) return false;
  return !hasData(first) || !hasData(next) || dataOf(first) === dataOf(next);
}

/** Whether a row has data of an animal, and not only its key, its name and a photo. */
function hasData({ profile, problems, status = 'available' }: AnimalRecord): boolean {
  return (
    problems.length > 0 ||
    status !== 'available' ||
    Object.entries(profile).some(([name, value]) => value !== undefined && name !== 'photos')
  );
}

const dataOf = ({ name, status, profile }: AnimalRecord): string =>
  JSON.stringify([name, status, { ...profile, photos: undefined }]);

/** Rows of one animal as one: the first with its data counts, and the photos of both. */
function joined(first: AnimalRecord, next: AnimalRecord): AnimalRecord {
  const counting = hasData(first) || !hasData(next) ? first : next;
  const all = [first, next].flatMap(({ profile }) => profile.photos ?? []);
  const different = [...new Map(all.map((photo) => [photo.url, photo])).values()];
  const photos = different.slice(0, PetProfile.MAX_PHOTOS);
  return {
    ...counting,
    line: first.line,
    photosLeftOut: first.photosLeftOut + next.photosLeftOut + different.length - photos.length,
    profile: photos.length === 0 ? counting.profile : { ...counting.profile, photos },
  };
}

/** A record of which nothing can be read. */
export const unread = (line: number, reason: string): AnimalRecord => ({
  line,
  profile: {},
  problems: [{ reason }],
  isUnread: true,
  photosLeftOut: 0,
  shortened: 0,
});

async function* readRecords(
  reading: Reading,
  chunks: AsyncIterable<Buffer>,
  options: ReadOptions,
): AsyncGenerator<AnimalRecord> {
  let header: Header | undefined;
  for await (const { line, cells, isUnended } of readRows(chunks, reading.longestRecord)) {
    if (header === undefined) {
      header = headerOf(cells, reading);
      if (header.ignored.length > 0) options.ignored?.(header.ignored);
      continue;
    }
    if (isUnended && cells.length < header.length) {
      if (!header.hasShortRows) {
        yield unread(line, CUT);
        return;
      }
      options.warn?.(line, MAY_BE_CUT);
    }
    const row = new Row(cells, header.places, options);
    const values = reading.read(row);
    const { problems, photosLeftOut, shortened } = row;
    if (cells.slice(header.length).some((cell) => cell.trim() !== ''))
      problems.unshift({
        reason: `It has ${cells.length} fields; the first line names ${header.length} columns.`,
      });
    yield { line, ...values, problems, photosLeftOut, shortened };
  }
  if (header === undefined)
    throw new FormatError('The file is empty: its first line has to name the columns.');
}

const CUT = 'The file ends within this record, and so was cut: get all of it.';
const MAY_BE_CUT = 'The file ends within this line: whether it was cut cannot be told.';

interface Header {
  readonly length: number;
  /** Where each column is that is read. */
  readonly places: ReadonlyMap<string, number>;
  /** Names of columns that are unknown. */
  readonly ignored: readonly string[];
  readonly hasShortRows: boolean;
}

/** @throws {FormatError} */
function headerOf(cells: readonly string[], reading: Reading): Header {
  const { columns, required, isKnown = () => false, shortRowsWith = '' } = reading;
  if (cells.some((cell) => cell.includes('\r')))
    throw new FormatError('line 1: It has a carriage return. Lines end with LF or CRLF.');
  const names = cells.map((cell) => cell.trim());
  const keys = names.map((name) => name.toLowerCase());
  const twice = keys.find((key, at) => key !== '' && keys.indexOf(key) < at);
  if (twice !== undefined)
    throw new FormatError(`line 1: There are two columns ${names[keys.indexOf(twice)] ?? ''}.`);
  const all = columns.map((column) => [column, keys.indexOf(column.toLowerCase())] as const);
  const places = new Map(all.filter(([, at]) => at !== -1));
  const missing = required.filter((alternatives) => !alternatives.some((name) => places.has(name)));
  if (missing.length > 0) {
    const lacks = missing.map((alternatives) => alternatives.join(' or ')).join(' and no column ');
    throw new FormatError(
      `line 1: There is no column ${lacks}. The first line names the columns, separated by commas. ` +
        `It has: ${names.join(', ').slice(0, 200)}`,
    );
  }
  const header = new Set(names.map((name) => name.toUpperCase()));
  const read = new Set(places.values());
  const ignored = names.filter(
    (name, at) => name !== '' && !read.has(at) && !isKnown(name.toUpperCase(), header),
  );
  return { length: names.length, places, ignored, hasShortRows: places.has(shortRowsWith) };
}
