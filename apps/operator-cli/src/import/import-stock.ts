import type { PetImports } from '@petstore/persistence';
import type { NewPet } from '@petstore/pet-domain';
import { type CheckedStock, isRefused, petOf } from './check-stock.js';
import type { Progress } from './progress.js';
import { CommandError, EXIT } from '../terminal/errors.js';
import { stockFileChanged } from './stock-file.errors.js';
import type { StockFile } from './stock-file.js';

/** Records that are done together, in one transaction. */
const PART = 1_000;

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
  progress: Progress,
): Promise<ImportedStock> {
  const earlier = await imports.begin(token, fingerprint);
  if (earlier.fingerprint !== fingerprint) throw tokenTaken(token);
  if (earlier.isFinished) return { added: 0, addedEarlier: earlier.animals };
  const reading = file.read();
  let done = earlier.records;
  let read = 0;
  let left = 0;
  let added = 0;
  let pets: NewPet[] = [];
  const addPart = async (): Promise<void> => {
    await imports.add(token, { after: done, upTo: read, pets });
    done = read;
    added += pets.length;
    pets = [];
  };
  for await (const record of reading.records) {
    const pet = petOf(record);
    read++;
    if (isRefused(pet)) {
      // As many as were found, or the file is another one.
      if (++left > refused) throw stockFileChanged();
    } else if (read > done) {
      pets.push(pet);
    }
    if (read - done === PART) await addPart();
    progress.at(read / records, read);
  }
  if (read !== records || reading.fingerprint() !== fingerprint) throw stockFileChanged();
  if (read > done) await addPart();
  await imports.finish(token, done);
  return { added, addedEarlier: earlier.animals };
}

function tokenTaken(token: string): CommandError {
  return new CommandError(
    `The token ${token} belongs to the import of another file, or of this one before it was changed.`,
    EXIT.usage,
  );
}
