import { randomBytes } from 'node:crypto';
import { constants, rmSync } from 'node:fs';
import {
  type FileHandle,
  lstat,
  mkdtemp,
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

/** A text in the making, which is there at the end, or not at all. */
export interface NewText {
  readonly write: (text: string) => Promise<void>;
}

/** Where a file is to be written. */
export interface Destination {
  /** Without links. */
  readonly path: string;
  /** A regular file is replaced, or made; into anything else, a device or a FIFO, is written. */
  readonly isFile: boolean;
}

/**
 * What a path leads to, through links.
 *
 * @throws {CommandError} for a folder, and for what cannot be looked at
 */
export async function destinationOf(path: string): Promise<Destination> {
  try {
    const there = await stat(path).catch(ifMissing);
    if (there === undefined) return { path: await missingFile(path), isFile: true };
    if (there.isDirectory()) throw new CommandError(`${VisibleText.escape(path)} is a folder.`, EXIT.usage);
    return there.isFile() ? { path: await realpath(path), isFile: true } : { path, isFile: false };
  } catch (error) {
    throw error instanceof CommandError ? error : unwritable(path, error);
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

/** @param exitCode of a path that was wrong, unless the file could be begun */
function unwritable(
  path: string,
  error: unknown,
  exitCode: CommandError['exitCode'] = EXIT.usage,
): CommandError {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  return new CommandError(`${VisibleText.escape(path)} cannot be written: ${code}.`, exitCode, {
    cause: error,
  });
}

/**
 * Lets `work` write a file beside the one that is there, and puts it in its place, with its owner and mode, when `work`
 * has succeeded. Whatever fails leaves the old one.
 *
 * @throws {CommandError} when it cannot be written, or cannot have the owner of the old one
 */
export async function replaceFile<T>(path: string, work: (file: NewText) => Promise<T>): Promise<T> {
  await removeOldParts(path);
  const beside = join(
    dirname(path),
    `.${basename(path)}.${process.pid}-${randomBytes(4).toString('hex')}.part`,
  );
  const forget = removeAtSignals(beside);
  let file: FileHandle | undefined;
  try {
    file = await likeTheOld(path, beside);
    const result = await work(textInto(file, path));
    await finish(file, beside, path);
    return result;
  } catch (error) {
    await file?.close().catch(() => undefined);
    await rm(beside, { force: true });
    throw error;
  } finally {
    forget();
  }
}

/** A new file with owner and mode of the one that it will replace. @throws {CommandError} */
async function likeTheOld(path: string, beside: string): Promise<FileHandle> {
  try {
    const old = await stat(path).catch(ifMissing);
    const file = await open(beside, 'wx', old === undefined ? 0o666 : 0o600);
    if (old === undefined) return file;
    try {
      const { uid, gid } = await file.stat();
      if (uid !== old.uid || gid !== old.gid) await file.chown(old.uid, old.gid);
      await file.chmod(old.mode & 0o7777);
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  } catch (error) {
    const { syscall } = error as NodeJS.ErrnoException;
    if (syscall !== 'fchown') throw unwritable(path, error);
    throw new CommandError(
      `${VisibleText.escape(path)} belongs to another user or group, to whom a new file cannot be given: remove it, or ` +
        'run this as its owner.',
      EXIT.usage,
    );
  }
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

/** A full disk, above all: not to be taken for one of the database's. */
const textInto = (file: FileHandle, path: string): NewText => ({
  write: async (text) => {
    await file.appendFile(text).catch((error: unknown) => {
      throw unwritable(path, error, EXIT.failure);
    });
  },
});

/** Puts a file that is written in the place of the old one. @throws {CommandError} */
async function finish(file: FileHandle, beside: string, path: string): Promise<void> {
  try {
    await file.sync();
    await file.close();
    await rename(beside, path);
  } catch (error) {
    throw unwritable(path, error, EXIT.failure);
  }
}

/** Writes nothing before all of it is known. @param out gets the text in pieces */
export async function print<T>(
  out: (text: string) => Promise<void> | void,
  work: (file: NewText) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-export-'));
  const file = await open(join(folder, 'export'), 'wx+', 0o600);
  // Nobody else finds it, and it goes with the process.
  await rm(folder, { recursive: true });
  try {
    const result = await work(textInto(file, tmpdir()));
    const text = file.createReadStream({ start: 0, encoding: 'utf8', autoClose: false });
    for await (const piece of text as AsyncIterable<string>) await out(piece);
    return result;
  } finally {
    await file.close();
  }
}

/** Writes into a device or a FIFO, as to standard output. @throws {CommandError} when nobody reads the FIFO */
export async function printInto<T>(path: string, work: (file: NewText) => Promise<T>): Promise<T> {
  let into: FileHandle | undefined;
  try {
    return await print(async (text) => {
      into ??= await openReader(path);
      await textInto(into, path).write(text);
    }, work);
  } finally {
    await into?.close();
  }
}

/** Opening a FIFO that nobody reads would wait for ever, unless it is asked not to. */
async function openReader(path: string): Promise<FileHandle> {
  let probe: FileHandle | undefined;
  try {
    probe = await open(path, constants.O_WRONLY | constants.O_NONBLOCK);
    return await open(path, constants.O_WRONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw unwritable(path, error);
    throw new CommandError(`Nobody reads ${VisibleText.escape(path)}: nothing was written.`, EXIT.failure);
  } finally {
    await probe?.close();
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
