import { createHash } from 'node:crypto';
import { type BigIntStats, createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { JsonNumber } from '@petstore/http-server/json';
import {
  FormatError,
  PETSTORE,
  readAnimals,
  type Reading,
  type ReadOptions,
  textBytes,
} from '@petstore/portal-formats';
import { AnimalsFileError } from '../errors.js';
import { FOREIGN } from '../formats.js';
import { checkRecord, type CheckedRecord, type FileRecord, type RecordForm } from './check-record.js';
import { ndjsonRecords } from './ndjson.js';

/** Records that are looked up together, and most that are written together. */
export const BATCH = 100;

/** What a file of the format `petstore` is, by the end of its name. */
const ENDINGS = new Map([
  ['.csv', 'csv'],
  ['.ndjson', 'ndjson'],
  ['.jsonl', 'ndjson'],
]);

/** What is another one of a file that was replaced or written to. */
const COMPARED = ['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const;

/** A file with animals, which is read from its beginning to its end, once or again. */
export class AnimalsFile implements RecordForm {
  /** How often its reading has begun, and by the last one how many bytes and records were read. */
  readings = 0;
  bytesRead = 0;
  recordsRead = 0;
  /** Columns that are not read. */
  ignored: readonly string[] = [];
  /** What is to be looked at although it is read. */
  warnings: string[] = [];
  private hash = createHash('sha256');

  private constructor(
    private readonly path: string,
    readonly isForeign: boolean,
    /** Of CSV; NDJSON has none. */
    private readonly reading: Reading | undefined,
    private readonly opened: BigIntStats,
  ) {}

  /** In bytes. */
  get size(): number {
    return Number(this.opened.size);
  }

  /** @throws {AnimalsFileError} */
  static async open(path: string, given = 'petstore'): Promise<AnimalsFile> {
    const format = given === 'petstore' ? ENDINGS.get(extname(path).toLowerCase()) : given;
    if (format === undefined)
      throw new AnimalsFileError(`Whether ${path} is CSV or NDJSON is not in its name: say --format.`);
    const found = await stat(path, { bigint: true }).catch((error: unknown) => {
      throw unreadable(path, error);
    });
    if (!found.isFile()) throw new AnimalsFileError(`${path} is no file.`);
    const foreign = FOREIGN[format]?.reading;
    const own = format === 'csv' ? PETSTORE.reading : undefined;
    return new AnimalsFile(path, foreign !== undefined, foreign ?? own, found);
  }

  /** Whether it is the file that was opened, and nobody has written to it since, by what the system says of it. */
  async isUnchanged(): Promise<boolean> {
    const { opened } = this;
    const found = await stat(this.path, { bigint: true }).catch(() => undefined);
    return found !== undefined && COMPARED.every((member) => found[member] === opened[member]);
  }

  fieldOf(path: string): string {
    // The service's own format has the reference in the profile.
    const there = path === 'reference' && !this.isForeign ? 'profile.reference' : path;
    const columns = this.reading?.columnsOf(there) ?? [];
    return columns.length === 0 ? there : columns.join(' or ');
  }

  /**
   * Reads its records from its beginning, and checks them, some at a time.
   *
   * @param places of the records that are wanted, in their order; of all unless given
   * @throws {AnimalsFileError} when a part of it cannot be read
   */
  async *batches(options: ReadOptions, places?: readonly number[]): AsyncGenerator<readonly CheckedRecord[]> {
    let batch: CheckedRecord[] = [];
    let wanted = 0;
    for await (const record of this.records(options)) {
      const at = this.recordsRead;
      if (places !== undefined && at !== places[wanted]) continue;
      wanted++;
      if (batch.push(checkRecord(this, record, at)) < BATCH) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  private async *records(options: ReadOptions): AsyncGenerator<FileRecord> {
    const { reading, isForeign } = this;
    this.readings++;
    this.bytesRead = 0;
    this.recordsRead = 0;
    this.hash = createHash('sha256');
    this.warnings = [];
    const all: ReadOptions = {
      ...options,
      ignored: (columns) => (this.ignored = columns),
      warn: (line, reason) => this.warnings.push(`line ${line}: ${reason}`),
    };
    try {
      const records =
        reading === undefined
          ? ndjsonRecords(textBytes(this.chunks()))
          : readAnimals(reading, this.chunks(), all);
      for await (const record of records) {
        this.recordsRead++;
        yield isForeign || reading === undefined ? record : withNumber(record);
      }
    } catch (error) {
      const unread = 'Nothing behind it can be read';
      if (error instanceof FormatError)
        throw new AnimalsFileError(
          error.message.replace(unread, `${unread}, and nothing was imported of it`),
        );
      throw (error as NodeJS.ErrnoException).syscall === undefined ? error : unreadable(this.path, error);
    }
  }

  /** Once all records have been read: SHA-256 of the file in hexadecimal digits. */
  fingerprint(): string {
    return this.hash.digest('hex');
  }

  private async *chunks(): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(this.path) as AsyncIterable<Buffer>) {
      this.hash.update(chunk);
      this.bytesRead += chunk.length;
      yield chunk;
    }
  }
}

function unreadable(path: string, error: unknown): AnimalsFileError {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  return new AnimalsFileError(`${path} cannot be read: ${code}.`);
}

/** As JSON writes a number (RFC 8259, section 6), but without an exponent: a spreadsheet writes one when it has rounded. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** A category is a number, as in JSON. */
function withNumber(record: FileRecord): FileRecord {
  const { categoryId } = record;
  return typeof categoryId === 'string' && NUMBER.test(categoryId)
    ? { ...record, categoryId: new JsonNumber(categoryId) }
    : record;
}
