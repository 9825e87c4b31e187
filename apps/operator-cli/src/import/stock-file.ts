import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { csvRecords } from './csv-records.js';
import { ndjsonRecords } from './ndjson-records.js';
import { StockFileError } from './stock-file.errors.js';
import type { StockRecord } from './stock-record.js';

export const FORMATS = ['csv', 'ndjson'] as const;

export type StockFormat = (typeof FORMATS)[number];

const FORMAT_OF: Readonly<Partial<Record<string, StockFormat>>> = {
  '.csv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

/** Byte order marks (Unicode, section 23.8). */
const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const UTF16_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/** One way through a file, from its beginning to its end. */
export interface StockReading {
  readonly records: AsyncIterable<StockRecord>;
  /** Bytes that have been read. */
  readonly bytesRead: number;
  /** Once all records have been read: SHA-256 of the file in hexadecimal digits. */
  fingerprint(): string;
}

/** A file with animals. Read as a stream, as often as wanted. */
export class StockFile {
  private constructor(
    readonly path: string,
    readonly format: StockFormat,
    /** In bytes. */
    readonly size: number,
  ) {}

  /** @throws {StockFileError} */
  static async at(path: string, format = FORMAT_OF[extname(path).toLowerCase()]): Promise<StockFile> {
    if (format === undefined)
      throw new StockFileError(`Whether ${path} is CSV or NDJSON is not in its name: say --format.`);
    const found = await stat(path).catch((error: unknown) => {
      throw new StockFileError(
        `${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}.`,
      );
    });
    if (!found.isFile()) throw new StockFileError(`${path} is no file; it is read more than once.`);
    return new StockFile(path, format, found.size);
  }

  /** @param ignored is told the names of columns that are no members of an animal */
  read(ignored: (columns: readonly string[]) => void = () => undefined): StockReading {
    const bytes = new WatchedBytes(this.path);
    return {
      records: this.format === 'csv' ? csvRecords(bytes.chunks(), ignored) : ndjsonRecords(bytes.chunks()),
      get bytesRead() {
        return bytes.count;
      },
      fingerprint: () => bytes.hash.digest('hex'),
    };
  }
}

/** The bytes of a file without its byte order mark, counted and hashed on the way. */
class WatchedBytes {
  count = 0;
  readonly hash: Hash = createHash('sha256');

  constructor(private readonly path: string) {}

  /** @throws {StockFileError} */
  async *chunks(): AsyncGenerator<Buffer> {
    let isFirst = true;
    try {
      for await (const chunk of createReadStream(this.path) as AsyncIterable<Buffer>) {
        this.hash.update(chunk);
        this.count += chunk.length;
        yield isFirst ? withoutMark(chunk) : chunk;
        isFirst = false;
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (error instanceof StockFileError || code === undefined) throw error;
      throw new StockFileError(`${this.path} cannot be read: ${code}.`);
    }
  }
}

function withoutMark(chunk: Buffer): Buffer {
  if (UTF16_MARKS.some((mark) => chunk.subarray(0, mark.length).equals(mark)))
    throw new StockFileError('The file is encoded in UTF-16: save it in UTF-8.');
  return chunk.subarray(0, UTF8_MARK.length).equals(UTF8_MARK) ? chunk.subarray(UTF8_MARK.length) : chunk;
}
