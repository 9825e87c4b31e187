import { isUtf8 } from 'node:buffer';
import { createReadStream, rmSync } from 'node:fs';
import { mkdtemp, open, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { decoded, FormatError, readRows, withoutMark, type Writing } from '@petstore/portal-formats';
import { CommandError, EXIT } from '../errors.js';
import { linesOf } from '../import/animals-file.js';

/** A text in the making, which is there at the end, or not at all. */
export interface NewText {
  readonly write: (text: string) => Promise<void>;
}

/**
 * Lets `work` write a file beside the one that is there, and puts it in its place when `work` has succeeded. Whatever
 * fails leaves the old one.
 */
export async function replaceFile<T>(path: string, work: (file: NewText) => Promise<T>): Promise<T> {
  const beside = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  const file = await open(beside, 'w').catch((error: unknown) => {
    throw new CommandError(
      `${path} cannot be written: ${(error as NodeJS.ErrnoException).code ?? ''}.`,
      EXIT.usage,
    );
  });
  const forget = removeAtSignals(beside);
  try {
    const result = await work({ write: async (text) => void (await file.write(text)) });
    await file.sync();
    await file.close();
    await rename(beside, path);
    return result;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(beside, { force: true });
    throw error;
  } finally {
    forget();
  }
}

/** The same for standard output: nothing is printed before all of it is known. */
export async function print<T>(out: (text: string) => void, work: (file: NewText) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-export-'));
  const path = join(folder, 'export');
  const forget = removeAtSignals(folder);
  try {
    const result = await replaceFile(path, work);
    for await (const text of createReadStream(path, 'utf8') as AsyncIterable<string>) out(text);
    return result;
  } finally {
    await rm(folder, { recursive: true, force: true });
    forget();
  }
}

/** Leaves nothing at this path when the process is told to end. @returns what takes that back */
function removeAtSignals(path: string): () => void {
  const end = (signal: NodeJS.Signals): void => {
    rmSync(path, { recursive: true, force: true });
    forget();
    process.kill(process.pid, signal);
  };
  const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
  const forget = (): void => {
    for (const signal of signals) process.off(signal, end);
  };
  for (const signal of signals) process.on(signal, end);
  return forget;
}

/** Longest record of a file that is counted, in bytes. */
const LONGEST_RECORD = 1024 * 1024;

/**
 * How many animals the file has that is there; 0 when there is none.
 *
 * @throws {CommandError} when it cannot be read as what is to take its place
 */
export async function rowsOf(path: string, { columns }: Writing, isNdjson: boolean): Promise<number> {
  const chunks = createReadStream(path) as AsyncIterable<Buffer>;
  try {
    return await (isNdjson ? countObjects(chunks) : countRows(chunks, columns));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    const why = error instanceof FormatError ? error.message : ((error as NodeJS.ErrnoException).code ?? '');
    throw new CommandError(
      `${path} is there and cannot be read as such a file (${why}): nothing was written. If it may be replaced, say ` +
        '--allow-many-missing.',
      EXIT.tooManyMissing,
    );
  }
}

/** Lines that are not blank. Nothing else of the objects is read. */
async function countObjects(chunks: AsyncIterable<Buffer>): Promise<number> {
  let count = 0;
  for await (const line of linesOf(chunks)) {
    const text = line.toString('latin1').trim();
    if (text !== '' && !(text.startsWith('{') && isUtf8(line)))
      throw new FormatError('It has a line that is no JSON object in UTF-8.');
    count += text === '' ? 0 : 1;
  }
  return count;
}

/** A first row that has the first column's name is no animal: some programs write Petfinder's file without one. */
async function countRows(chunks: AsyncIterable<Buffer>, columns: readonly string[]): Promise<number> {
  let count = 0;
  let isFirst = true;
  for await (const { line, cells } of readRows(withoutMark(chunks), LONGEST_RECORD)) {
    if (decoded(cells.join()) === undefined)
      throw new FormatError(`line ${line}: It is not encoded in UTF-8.`);
    const isHeader = isFirst && cells.some((cell) => cell.trim().toLowerCase() === columns[0]?.toLowerCase());
    // A page of HTML is CSV, too. Older forms of a portal's file have fewer columns, or more.
    if (isFirst && !isHeader && cells.length * 2 < columns.length)
      throw new FormatError(`line ${line}: It has ${cells.length} cells, and not ${columns.length}.`);
    isFirst = false;
    count += isHeader ? 0 : 1;
  }
  return count;
}
