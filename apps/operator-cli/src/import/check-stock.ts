import { readNewPet } from './new-pet.reader.js';
import type { Progress } from './progress.js';
import type { StockFile } from './stock-file.js';
import type { Flaw, StockRecord } from './stock-record.js';
import type { NewPet } from '@petstore/pet-domain';

/** Most flaws that are listed; all are counted. */
export const LISTED = 1_000;

export interface ListedFlaw extends Flaw {
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

/** The animal of a record, or what is wrong with it. */
export function petOf(record: StockRecord): NewPet | readonly Flaw[] {
  return 'flaw' in record ? [record.flaw] : readNewPet(record.members);
}

/** Whether a record is no animal. */
export function isRefused(pet: NewPet | readonly Flaw[]): pet is readonly Flaw[] {
  return Array.isArray(pet);
}

/**
 * Reads a file to its end and changes nothing.
 *
 * @throws {StockFileError} when a part of it cannot be read
 */
export async function checkStock(file: StockFile, progress: Progress): Promise<CheckedStock> {
  let ignored: readonly string[] = [];
  let records = 0;
  let refused = 0;
  const flaws: ListedFlaw[] = [];
  const reading = file.read((columns) => (ignored = columns));
  for await (const record of reading.records) {
    records++;
    const pet = petOf(record);
    if (isRefused(pet)) {
      refused++;
      for (const flaw of pet) if (flaws.length < LISTED) flaws.push({ line: record.line, ...flaw });
    }
    progress.at(reading.bytesRead / file.size, records);
  }
  return { fingerprint: reading.fingerprint(), records, refused, flaws, ignored };
}
