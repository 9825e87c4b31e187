import { createReadStream } from 'node:fs';
import { mkdtemp, open, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { FormatError, readRows, withoutMark } from '@petstore/portal-formats';
import { CommandError, EXIT } from '../errors.js';

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
  }
}

/** The same for standard output: nothing is printed before all of it is known. */
export async function print<T>(out: (text: string) => void, work: (file: NewText) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-export-'));
  const path = join(folder, 'export');
  try {
    const result = await replaceFile(path, work);
    for await (const text of createReadStream(path, 'utf8') as AsyncIterable<string>) out(text);
    return result;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Longest record of a file that is counted, in bytes. */
const LONGEST_RECORD = 1024 * 1024;

/**
 * How many animals the file has that is there; 0 when there is none.
 *
 * @throws {CommandError} when it cannot be read as what is to take its place
 */
export async function rowsOf(path: string, hasHeader: boolean, isNdjson: boolean): Promise<number> {
  const chunks = createReadStream(path) as AsyncIterable<Buffer>;
  let rows = 0;
  try {
    if (isNdjson) for await (const chunk of chunks) rows += chunk.toString('latin1').split('\n').length - 1;
    else
      for await (const row of readRows(withoutMark(chunks), LONGEST_RECORD))
        rows += row.cells.length > 0 ? 1 : 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    const why = error instanceof FormatError ? error.message : ((error as NodeJS.ErrnoException).code ?? '');
    throw new CommandError(
      `${path} is there and cannot be read as such a file (${why}): nothing was written. If it may be replaced, say ` +
        '--allow-many-missing.',
      EXIT.tooManyMissing,
    );
  }
  return hasHeader && !isNdjson ? Math.max(0, rows - 1) : rows;
}
