import type { Reading } from './format.js';
import { readAnimals } from './reader.js';
import { FormatError } from './text-bytes.js';

const READING: Reading = {
  columns: ['ours', 'theirs'],
  columnsOf: () => [],
  required: [['ours'], ['theirs']],
  longestRecord: 16 * 1024,
  read: (row) => ({ reference: row.cell('ours'), name: row.cell('theirs'), profile: {} }),
};

/**
 * A portal's names of breeds and colors: CSV with the columns `ours` and `theirs`.
 *
 * @returns theirs by ours in small letters
 * @throws {FormatError} for a row that lacks one of the two, or a name that has two of theirs
 */
export async function readNames(chunks: AsyncIterable<Buffer>): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for await (const { line, reference, name, problems } of readAnimals(READING, chunks)) {
    const ours = reference?.toLowerCase();
    if (ours === undefined || name === undefined || problems.length > 0)
      throw new FormatError(`line ${line}: A row has two names, ours and theirs.`);
    if ((names.get(ours) ?? name) !== name)
      throw new FormatError(`line ${line}: There are two names for ${ours}.`);
    names.set(ours, name);
  }
  return names;
}
