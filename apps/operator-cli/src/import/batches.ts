import type { AnimalsFile } from './animals-file.js';
import { checkRecord, type CheckedRecord } from './check-record.js';
import type { ImportOptions } from './import.options.js';

/** Records that are looked up together, and most that are written together. */
export const BATCH = 100;

/**
 * The records of a file, checked, some at a time.
 *
 * @param places of the records that are wanted, in their order; of all unless given
 * @throws {AnimalsFileError} when a part of the file cannot be read
 */
export async function* batchesOf(
  file: AnimalsFile,
  given: ImportOptions,
  places?: readonly number[],
): AsyncGenerator<readonly CheckedRecord[]> {
  let batch: CheckedRecord[] = [];
  let next = 0;
  for await (const record of file.records(given)) {
    const at = file.recordsRead;
    if (places !== undefined && at !== places[next]) continue;
    next++;
    if (batch.push(checkRecord(file, record, at)) < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
