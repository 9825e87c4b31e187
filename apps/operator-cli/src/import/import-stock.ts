import type { DescribedPet, PetImports } from '@petstore/persistence';
import { CommandError, EXIT } from '../errors.js';
import type { ReportProgress } from './progress.js';
import { type StockFile, StockReading } from './stock-file.js';
import { type Flaw, judgeRecord } from './stock-record.js';

/** Most flaws that are listed; all are counted. */
const MAX_LISTED_FLAWS = 1_000;

/** Records of one transaction. */
const RECORDS_PER_PART = 1_000;

interface ListedFlaw extends Flaw {
  readonly line: number;
}

/** What is known of a file when all of it has been read. */
export interface CheckedStock {
  /** SHA-256 in hexadecimal digits. */
  readonly fingerprint: string;
  readonly records: number;
  /** Records that are no animals. */
  readonly refused: number;
  /** The first flaws, in the order of the file. */
  readonly flaws: readonly ListedFlaw[];
  /** Columns that are no members of an animal. */
  readonly ignored: readonly string[];
}

/**
 * Reads a file to its end and changes nothing.
 *
 * @throws {StockFileError} when a part of it cannot be read
 */
export async function checkStock(file: StockFile, report: ReportProgress): Promise<CheckedStock> {
  let records = 0;
  let refused = 0;
  const flaws: ListedFlaw[] = [];
  const reading = new StockReading(file);
  for await (const record of reading.records()) {
    records++;
    const judged = judgeRecord(record, file.latestBirth);
    if ('flaws' in judged) {
      refused++;
      const listed = judged.flaws.slice(0, MAX_LISTED_FLAWS - flaws.length);
      flaws.push(...listed.map((flaw) => ({ line: record.line, ...flaw })));
    }
    report(reading.bytesRead / file.size, records);
  }
  return { fingerprint: reading.fingerprint(), records, refused, flaws, ignored: reading.ignored };
}

export interface ImportedStock {
  /** Animals that this run has added. */
  readonly added: number;
  /** Animals that earlier runs of the same import have added. */
  readonly addedEarlier: number;
}

/**
 * Adds the animals of a file, part by part in their order, and goes on where an earlier run has stopped. Records that are
 * no animals are left out.
 *
 * @throws {CommandError} when the token is taken, before anything is added; when the file is changed, also after some parts
 */
export async function importStock(
  file: StockFile,
  { fingerprint, records, refused }: CheckedStock,
  token: string,
  imports: PetImports,
  report: ReportProgress,
): Promise<ImportedStock> {
  const earlier = await imports.begin(token, fingerprint);
  if (earlier.fingerprint !== fingerprint)
    throw new CommandError(
      `The token ${token} belongs to the import of another file, or of this one before it was changed.`,
      EXIT.usage,
    );
  if (earlier.finishedAt !== undefined) return { added: 0, addedEarlier: earlier.animals };
  const reading = new StockReading(file);
  let done = earlier.records;
  let read = 0;
  let leftOut = 0;
  let added = 0;
  let pets: DescribedPet[] = [];
  const addPart = async (): Promise<void> => {
    await imports.add(token, { after: done, upTo: read, pets });
    done = read;
    added += pets.length;
    pets = [];
  };
  for await (const record of reading.records()) {
    const judged = judgeRecord(record, file.latestBirth);
    read++;
    if ('flaws' in judged) {
      // More than were found before: the file has changed.
      if (++leftOut > refused) throw fileChanged();
    } else if (read > done) {
      pets.push(judged);
    }
    if (read - done === RECORDS_PER_PART) await addPart();
    report(read / records, read);
  }
  if (read !== records || reading.fingerprint() !== fingerprint) throw fileChanged();
  if (read > done) await addPart();
  await imports.finish(token, done);
  return { added, addedEarlier: earlier.animals };
}

function fileChanged(): CommandError {
  return new CommandError(
    'The file was changed while it was imported. What is imported of it stays; the import is not complete.',
  );
}
