import { type AnimalRecord, readAnimals, type ReadFormat, type ReadOptions } from '../index.js';

/** The bytes in pieces of a size, as a file might give them. */
export async function* pieces(bytes: Buffer, size = 7): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

export async function read(
  { reading }: ReadFormat,
  text: string | Buffer,
  options: ReadOptions = {},
  size = 4_096,
): Promise<AnimalRecord[]> {
  const found: AnimalRecord[] = [];
  for await (const record of readAnimals(reading, pieces(Buffer.from(text), size), options))
    found.push(record);
  return found;
}

/** The one animal of a file, without members that are undefined. */
export async function one(format: ReadFormat, text: string, options?: ReadOptions): Promise<AnimalRecord> {
  const [record] = await read(format, text, options);
  return JSON.parse(JSON.stringify(record)) as AnimalRecord;
}

export const problemsOf = (record: AnimalRecord | undefined): string[] =>
  (record?.problems ?? []).map(({ column = '', reason }) => `${column} ${reason}`.trim());
