import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { VisibleText } from '@petstore/api-key';
import { Day } from '@petstore/pet-domain';
import {
  ASM3,
  FormatError,
  PETFINDER,
  PETSTORE,
  readAnimals,
  type Reading,
  type ReadOptions,
  RESCUEGROUPS,
  withoutMark,
} from '@petstore/portal-formats';
import { StockFileError } from '../errors.js';
import { ndjsonRecords } from './ndjson-records.js';
import { ofAnimal, type StockRecord } from './stock-record.js';

/** What a file of animals may be; `csv` and `ndjson` are of the format `petstore`. */
export const FORMATS = ['petstore', 'csv', 'ndjson', 'petfinder', 'rescuegroups', 'asm3'] as const;
export type StockFormat = (typeof FORMATS)[number];

const ENDINGS: Readonly<Partial<Record<string, StockFormat>>> = {
  '.csv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

const READINGS: Readonly<Partial<Record<StockFormat, Reading | undefined>>> = {
  csv: PETSTORE.reading,
  petfinder: PETFINDER.reading,
  rescuegroups: RESCUEGROUPS.reading,
  asm3: ASM3.reading,
};

/** A file with animals. */
export interface StockFile {
  readonly path: string;
  readonly format: StockFormat;
  /** In bytes. */
  readonly size: number;
  /** The last day on which its animals may be born: tomorrow in UTC. */
  readonly latestBirth: Day;
}

/** @throws {StockFileError} */
export async function openStockFile(path: string, given: StockFormat = 'petstore'): Promise<StockFile> {
  const shown = VisibleText.escape(path);
  const format = given === 'petstore' ? ENDINGS[extname(path).toLowerCase()] : given;
  if (format === undefined)
    throw new StockFileError(`Whether ${shown} is CSV or NDJSON is not in its name: say --format.`);
  const found = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (!found.isFile()) throw new StockFileError(`${shown} is no file.`);
  return { path, format, size: found.size, latestBirth: Day.of(new Date(), 1) };
}

/** Where an error of the file ends. */
const UNREAD = 'Nothing behind it can be read';

/** One way through a file, from its beginning to its end. */
export class StockReading {
  bytesRead = 0;
  /** Columns that are not read. */
  ignored: readonly string[] = [];
  private readonly hash = createHash('sha256');

  constructor(
    private readonly file: StockFile,
    private readonly options: ReadOptions,
  ) {}

  /** @throws {StockFileError} */
  async *records(): AsyncGenerator<StockRecord> {
    const { path, format } = this.file;
    const reading = READINGS[format];
    try {
      if (reading === undefined) {
        yield* ndjsonRecords(withoutMark(this.chunks()));
        return;
      }
      const keyColumn = reading.required[0]?.join(' or ') ?? '';
      const options = { ...this.options, ignored: (columns: readonly string[]) => (this.ignored = columns) };
      for await (const animal of readAnimals(reading, this.chunks(), options))
        yield ofAnimal(animal, format, keyColumn);
    } catch (error) {
      if (error instanceof FormatError)
        throw new StockFileError(error.message.replace(UNREAD, `${UNREAD}, and nothing was imported of it`));
      throw (error as NodeJS.ErrnoException).syscall === undefined ? error : unreadable(path, error);
    }
  }

  /** Once all records have been read: SHA-256 of the file in hexadecimal digits. */
  fingerprint(): string {
    return this.hash.digest('hex');
  }

  private async *chunks(): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(this.file.path) as AsyncIterable<Buffer>) {
      this.hash.update(chunk);
      this.bytesRead += chunk.length;
      yield chunk;
    }
  }
}

function unreadable(path: string, error: unknown): StockFileError {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  return new StockFileError(`${VisibleText.escape(path)} cannot be read: ${code}.`);
}
