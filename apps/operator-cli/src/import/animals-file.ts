import { createHash } from 'node:crypto';
import { type BigIntStats, createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { VisibleText } from '@petstore/api-key';
import { JsonNumber, JsonObjectError, parseJsonObject } from '@petstore/http-server/json';
import { PetProfile } from '@petstore/pet-domain';
import {
  type AnimalRecord,
  ASM3,
  FormatError,
  PETFINDER,
  PETSTORE,
  readAnimals,
  type Reading,
  type ReadOptions,
  RESCUEGROUPS,
  textBytes,
} from '@petstore/portal-formats';
import { AnimalsFileError } from '../errors.js';
import type { FileFormat } from './import.options.js';

const ENDINGS: Readonly<Partial<Record<string, FileFormat>>> = {
  '.csv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

const READINGS: Readonly<Partial<Record<FileFormat, Reading | undefined>>> = {
  csv: PETSTORE.reading,
  petfinder: PETFINDER.reading,
  rescuegroups: RESCUEGROUPS.reading,
  asm3: ASM3.reading,
};

/** What is another one of a file that was replaced or written to. */
const COMPARED = ['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const;

/** Longest line of NDJSON, in bytes: as long as a record of the same format in CSV. */
const LONGEST_LINE = PETSTORE.reading?.longestRecord ?? 0;

/** A record as a file has it, or what is wrong with one that cannot be read. NDJSON may have anything in its members. */
export interface FileRecord
  extends
    Pick<AnimalRecord, 'line' | 'reference' | 'hasNumber' | 'problems' | 'photosLeftOut' | 'shortened'>,
    Partial<Record<'name' | 'categoryId' | 'status' | 'profile', unknown>> {
  readonly isUnread?: boolean;
}

/** A file with animals, which is read from its beginning to its end, once or again. */
export class AnimalsFile {
  /** By the reading that goes on. */
  bytesRead = 0;
  /** Columns that are not read. */
  ignored: readonly string[] = [];
  /** What is to be looked at although it is read. */
  warnings: string[] = [];
  /** Whether it is of a portal or a program: not of the service itself. */
  readonly isForeign: boolean;
  private hash = createHash('sha256');

  private constructor(
    private readonly path: string,
    private readonly format: FileFormat,
    private readonly opened: BigIntStats,
  ) {
    this.isForeign = format !== 'csv' && format !== 'ndjson';
  }

  /** In bytes. */
  get size(): number {
    return Number(this.opened.size);
  }

  /** @throws {AnimalsFileError} */
  static async open(path: string, given: FileFormat = 'petstore'): Promise<AnimalsFile> {
    const shown = VisibleText.escape(path);
    const format = given === 'petstore' ? ENDINGS[extname(path).toLowerCase()] : given;
    if (format === undefined)
      throw new AnimalsFileError(`Whether ${shown} is CSV or NDJSON is not in its name: say --format.`);
    const found = await stat(path, { bigint: true }).catch((error: unknown) => {
      throw unreadable(path, error);
    });
    if (!found.isFile()) throw new AnimalsFileError(`${shown} is no file.`);
    return new AnimalsFile(path, format, found);
  }

  /** Whether it is the file that was opened, and nobody has written to it since, by what the system says of it. */
  async isUnchanged(): Promise<boolean> {
    const { opened } = this;
    const found = await stat(this.path, { bigint: true }).catch(() => undefined);
    return found !== undefined && COMPARED.every((member) => found[member] === opened[member]);
  }

  /** How the file calls a member of an animal, of which the path is given: `name`, `profile.goodWith.dogs`. */
  fieldOf(path: string): string {
    // The service's own format has the reference in the profile.
    const there = path === 'reference' && !this.isForeign ? 'profile.reference' : path;
    const columns = READINGS[this.format]?.columnsOf?.(there) ?? [];
    return columns.length === 0 ? there : columns.join(' or ');
  }

  /** Reads it from its beginning. @throws {AnimalsFileError} when a part of it cannot be read */
  async *records(options: ReadOptions): AsyncGenerator<FileRecord> {
    this.bytesRead = 0;
    this.hash = createHash('sha256');
    const reading = READINGS[this.format];
    this.warnings = [];
    const all: ReadOptions = {
      ...options,
      longestDescription: PetProfile.MAX_DESCRIPTION,
      ignored: (columns) => (this.ignored = columns),
      warn: (line, reason) => this.warnings.push(`line ${line}: ${reason}`),
    };
    try {
      if (reading === undefined) yield* ndjsonRecords(textBytes(this.chunks()));
      else
        for await (const record of readAnimals(reading, this.chunks(), all))
          yield this.isForeign
            ? withinLimits(record)
            : { ...record, categoryId: numberOf(record.categoryId) };
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
  return new AnimalsFileError(`${VisibleText.escape(path)} cannot be read: ${code}.`);
}

/** An animal of a portal with each photo once, and as many as a profile can have. */
function withinLimits(record: AnimalRecord): FileRecord {
  const { photos } = record.profile;
  if (photos === undefined) return record;
  const different = [...new Map(photos.map((photo) => [photo.url, photo])).values()];
  const taken = different.slice(0, PetProfile.MAX_PHOTOS);
  const photosLeftOut = record.photosLeftOut + different.length - taken.length;
  return { ...record, profile: { ...record.profile, photos: taken }, photosLeftOut };
}

/** As JSON writes a number (RFC 8259, section 6), but without an exponent: a spreadsheet writes one when it has rounded. */
function numberOf(cell: string | undefined): JsonNumber | string | undefined {
  return cell !== undefined && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(cell) ? new JsonNumber(cell) : cell;
}

/** Records of a file with a JSON object on each line, read as bodies of requests are. Blank lines are none. */
async function* ndjsonRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<FileRecord> {
  let line = 0;
  for await (const bytes of linesOf(chunks)) {
    line++;
    if (bytes.length > LONGEST_LINE)
      yield unread(line, `The line is longer than ${LONGEST_LINE / 1024} KiB.`);
    else if (/[^ \t\r]/.test(bytes.toString('latin1'))) yield parse(line, bytes);
  }
}

function parse(line: number, bytes: Buffer): FileRecord {
  try {
    const members = parseJsonObject(bytes, ['name', 'categoryId', 'status', 'profile']);
    const { reference } = (members['profile'] ?? {}) as { readonly reference?: unknown };
    const known = typeof reference === 'string' ? reference : undefined;
    return { ...members, line, reference: known, problems: [], photosLeftOut: 0, shortened: 0 };
  } catch (error) {
    if (!(error instanceof JsonObjectError)) throw error;
    // The message is about a body; here it is a line.
    return unread(line, error.message.replace('The request body', 'The line'));
  }
}

function unread(line: number, reason: string): FileRecord {
  return { line, problems: [{ reason }], isUnread: true, photosLeftOut: 0, shortened: 0 };
}

/** Lines without their ends (LF); of one that is too long only as much as shows it. readline would replace what is no UTF-8. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun = Buffer.alloc(0);
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      yield begun.length === 0
        ? chunk.subarray(start, end)
        : Buffer.concat([begun, chunk.subarray(start, end)]);
      begun = Buffer.alloc(0);
      start = end + 1;
    }
    begun = Buffer.concat([begun, chunk.subarray(start)]).subarray(0, LONGEST_LINE + 1);
  }
  if (begun.length > 0) yield begun;
}
