import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import {
  type FileHandle,
  lstat,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { VisibleText } from '@petstore/api-key';
import { CommandError, EXIT } from '../errors.js';

/** Takes a text, in pieces. */
export type Write = (text: string) => Promise<void> | void;

/** Where a text goes that is there as a whole, or not at all. */
export interface Destination {
  /** The regular file that is replaced or made, without links; `undefined` for a device, a FIFO and standard output. */
  readonly file?: string;
  /** Is given all of the text. */
  readonly take: (pieces: AsyncIterable<string>) => Promise<void>;
}

/** Standard output. */
export const printedBy = (out: Write): Destination => ({
  take: async (pieces) => {
    for await (const piece of pieces) await out(piece);
  },
});

/**
 * What a path leads to, through links.
 *
 * @throws {CommandError} for a folder, and for what cannot be looked at
 */
export async function destinationOf(path: string): Promise<Destination> {
  const there = await stat(path).catch(ifMissing).catch(unwritable(path));
  if (there?.isDirectory() === true)
    throw new CommandError(`${VisibleText.escape(path)} is a folder.`, EXIT.usage);
  if (there?.isFile() === false) return { take: (pieces) => writeInto(path, pieces) };
  const file = await (there === undefined ? missingFile(path) : realpath(path)).catch(unwritable(path));
  return { file, take: (pieces) => replaceFile(file, pieces).catch(unwritable(file, EXIT.failure)) };
}

/**
 * Lets `work` write a text, which goes to its destination when it has succeeded. Until then it is in a file that nobody
 * else finds and that goes with the process: whatever ends it leaves what was there.
 *
 * @throws {CommandError} when it cannot be written
 */
export async function writeWhole<T>(to: Destination, work: (write: Write) => Promise<T>): Promise<T> {
  const path = to.file ?? join(tmpdir(), 'petstore-export');
  const part = partOf(path);
  const spool = await open(part, 'wx+', 0o600).catch(unwritable(path));
  try {
    await rm(part);
    const result = await work((text) => spool.appendFile(text).catch(unwritable(path, EXIT.failure)));
    await to.take(
      spool.createReadStream({ start: 0, encoding: 'utf8', autoClose: false }) as AsyncIterable<string>,
    );
    return result;
  } finally {
    await spool.close();
  }
}

/** The file that a link names which is not there, and else the path itself. */
async function missingFile(path: string): Promise<string> {
  const link = await lstat(path).catch(ifMissing);
  return link?.isSymbolicLink() === true ? missingFile(resolve(dirname(path), await readlink(path))) : path;
}

function ifMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

/** Says that it is the path: a full disk is not to be taken for one of the database's. */
const unwritable =
  (path: string, exitCode: CommandError['exitCode'] = EXIT.usage) =>
  (error: unknown): never => {
    if (error instanceof CommandError) throw error;
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const message = `${VisibleText.escape(path)} cannot be written: ${code}.`;
    throw new CommandError(message, exitCode, { cause: error });
  };

const partOf = (path: string): string =>
  join(dirname(path), `.${basename(path)}.${process.pid}-${randomBytes(4).toString('hex')}.part`);

/** Writes a file beside the one that is there, and puts it in its place with its owner and mode. */
async function replaceFile(path: string, pieces: AsyncIterable<string>): Promise<void> {
  await removeOldParts(path);
  const part = partOf(path);
  try {
    const old = await stat(path).catch(ifMissing);
    const file = await open(part, 'wx', old === undefined ? 0o666 : 0o600);
    try {
      if (old !== undefined) await makeLike(file, old, path);
      for await (const piece of pieces) await file.appendFile(piece);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function makeLike(
  file: FileHandle,
  old: { readonly uid: number; readonly gid: number; readonly mode: number },
  path: string,
): Promise<void> {
  const { uid, gid } = await file.stat();
  if (uid !== old.uid || gid !== old.gid)
    await file.chown(old.uid, old.gid).catch((error: unknown) => {
      throw new CommandError(
        `${VisibleText.escape(path)} belongs to another user or group, to whom a new file cannot be given: remove it, or ` +
          'run this as its owner.',
        EXIT.usage,
        { cause: error },
      );
    });
  await file.chmod(old.mode & 0o7777);
}

/** How long nobody has written to a part that is left of a process which was killed, in milliseconds. */
const LEFT_BEHIND_MS = 3_600_000;

async function removeOldParts(path: string): Promise<void> {
  const [folder, beginning] = [dirname(path), `.${basename(path)}.`];
  for (const name of await readdir(folder).catch(() => [])) {
    const middle =
      name.startsWith(beginning) && name.endsWith('.part') ? name.slice(beginning.length, -5) : '';
    if (!/^\d+(?:-[0-9a-f]{8})?$/.test(middle)) continue;
    const part = join(folder, name);
    const found = await lstat(part).catch(() => undefined);
    if (found?.isFile() === true && found.mtimeMs < Date.now() - LEFT_BEHIND_MS)
      await rm(part).catch(() => undefined);
  }
}

/** Writes into a device or a FIFO. @throws {CommandError} when nobody reads the FIFO */
async function writeInto(path: string, pieces: AsyncIterable<string>): Promise<void> {
  const into = await openReader(path);
  try {
    for await (const piece of pieces) await into.appendFile(piece).catch(unwritable(path, EXIT.failure));
  } finally {
    await into.close();
  }
}

/** Opening a FIFO that nobody reads would wait for ever, unless it is asked not to. */
async function openReader(path: string): Promise<FileHandle> {
  let probe: FileHandle | undefined;
  try {
    probe = await open(path, constants.O_WRONLY | constants.O_NONBLOCK);
    return await open(path, constants.O_WRONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENXIO') return unwritable(path)(error);
    throw new CommandError(`Nobody reads ${VisibleText.escape(path)}: nothing was written.`, EXIT.failure);
  } finally {
    await probe?.close();
  }
}
