import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { VisibleText } from '@petstore/api-key';
import { Day } from '@petstore/pet-domain';
import { StockFileError } from '../errors.js';
import { csvRecords } from './csv-records.js';
import { ndjsonRecords } from './ndjson-records.js';
import type { StockFormat } from './stock-format.js';
import type { StockRecord } from './stock-record.js';

const FORMAT_OF: Readonly<Partial<Record<string, StockFormat>>> = {
  '.csv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

/** Byte order marks (Unicode, section 23.8). */
const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const UTF16_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/** A file with animals. Read as a stream, as often as wanted. */
export interface StockFile {
  readonly path: string;
  readonly format: StockFormat;
  /** In bytes. */
  readonly size: number;
  /** The last day on which its animals may be born: tomorrow in UTC, the same for each reading. */
  readonly latestBirth: Day;
}

/** @throws {StockFileError} */
export async function openStockFile(
  path: string,
  format = FORMAT_OF[extname(path).toLowerCase()],
): Promise<StockFile> {
  const shown = VisibleText.escape(path);
  if (format === undefined)
    throw new StockFileError(`Whether ${shown} is CSV or NDJSON is not in its name: say --format.`);
  const found = await stat(path).catch((error: unknown) => {
    throw new StockFileError(
      `${shown} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}.`,
    );
  });
  if (!found.isFile()) throw new StockFileError(`${shown} is no file; it is read more than once.`);
  return { path, format, size: found.size, latestBirth: Day.of(new Date(), 1) };
}

/** One way through a file, from its beginning to its end. */
export class StockReading {
  bytesRead = 0;
  /** Columns that are no members of an animal. */
  ignored: readonly string[] = [];
  private readonly hash = createHash('sha256');

  constructor(private readonly file: StockFile) {}

  records(): AsyncIterable<StockRecord> {
    return this.file.format === 'csv'
      ? csvRecords(this.chunks(), this.file.latestBirth, (columns) => (this.ignored = columns))
      : ndjsonRecords(this.chunks());
  }

  /** Once all records have been read: SHA-256 of the file in hexadecimal digits. */
  fingerprint(): string {
    return this.hash.digest('hex');
  }

  /** The bytes without their byte order mark. @throws {StockFileError} */
  private async *chunks(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of createReadStream(this.file.path) as AsyncIterable<Buffer>) {
        const isFirst = this.bytesRead === 0;
        this.hash.update(chunk);
        this.bytesRead += chunk.length;
        yield isFirst ? withoutMark(chunk) : chunk;
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (error instanceof StockFileError || code === undefined) throw error;
      throw new StockFileError(`${VisibleText.escape(this.file.path)} cannot be read: ${code}.`);
    }
  }
}

function withoutMark(chunk: Buffer): Buffer {
  if (UTF16_MARKS.some((mark) => chunk.subarray(0, mark.length).equals(mark)))
    throw new StockFileError('The file is encoded in UTF-16: save it in UTF-8.');
  return chunk.subarray(0, UTF8_MARK.length).equals(UTF8_MARK) ? chunk.subarray(UTF8_MARK.length) : chunk;
}
