import type { AnimalRecord, Photo } from './animal.js';
import { readRows } from './csv-rows.js';
import type { Reading } from './format.js';
import { type ReadOptions, Row } from './row.js';
import { FormatError } from './text-bytes.js';

/** Most different photos of one animal that are kept; a profile takes fewer. */
const MOST_PHOTOS = 100;

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
  let open: OpenAnimal | undefined;
  for await (const record of readRecords(reading, chunks, options)) {
    if (open !== undefined && reading.hasFurtherRows === true && open.hasRow(record)) {
      open.add(record);
      continue;
    }
    if (open !== undefined) yield open.whole();
    open = new OpenAnimal(record);
  }
  if (open !== undefined) yield open.whole();
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

/** Rows of one animal: the first with its data counts, and the photos of all. */
class OpenAnimal {
  private readonly photos = new Map<string, Photo>();
  private readonly line: number;
  /** The counting row's data, when it has any. */
  private data: string | undefined;
  private photosLeftOut = 0;

  constructor(private counting: AnimalRecord) {
    this.line = counting.line;
    this.data = hasData(counting) ? dataOf(counting) : undefined;
    this.addPhotos(counting);
  }

  /** Whether a row is of this animal: of two with data, only if it is the same. */
  hasRow(record: AnimalRecord): boolean {
    if (record.reference === undefined || record.reference !== this.counting.reference) return false;
    return this.data === undefined || !hasData(record) || dataOf(record) === this.data;
  }

  add(record: AnimalRecord): void {
    if (this.data === undefined && hasData(record)) {
      this.counting = record;
      this.data = dataOf(record);
    }
    this.addPhotos(record);
  }

  whole(): AnimalRecord {
    const { counting, line, photosLeftOut, photos } = this;
    const { profile } = counting;
    return {
      ...counting,
      line,
      photosLeftOut,
      profile: photos.size === 0 ? profile : { ...profile, photos: [...photos.values()] },
    };
  }

  private addPhotos({ profile: { photos = [] }, photosLeftOut }: AnimalRecord): void {
    this.photosLeftOut += photosLeftOut;
    for (const photo of photos)
      if (this.photos.size < MOST_PHOTOS || this.photos.has(photo.url)) this.photos.set(photo.url, photo);
      else this.photosLeftOut++;
  }
}

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
        yield {
          line,
          profile: {},
          problems: [{ reason: CUT }],
          isUnread: true,
          photosLeftOut: 0,
          shortened: 0,
        };
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
  const header = new Set(names.map((name) => name.toUpperCase()));
  const ignored = names.filter(
    (name) => name !== '' && !known.has(name.toLowerCase()) && !isKnown(name.toUpperCase(), header),
  );
  return { length: names.length, places, ignored, hasShortRows: places.has(shortRowsWith) };
}
