import { randomBytes } from 'node:crypto';
import { createWriteStream, type Stats } from 'node:fs';
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
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError, EXIT } from '../errors.js';

/** Takes a text, in pieces. */
export type Write = (text: string) => Promise<void> | void;

/** Where a text goes that is there as a whole, or not at all: a regular file, or what it is written into at the end. */
export type Destination =
  | { readonly file: string; readonly old: Stats | undefined }
  | { readonly file?: undefined; readonly take: (text: Readable) => Promise<void> };

/** Standard output. */
export const printedBy = (out: Write): Destination => ({
  take: async (text) => {
    for await (const piece of text) await out(String(piece));
  },
});

/**
 * What a path leads to, through links.
 *
 * @throws {CommandError} for a folder, and for what cannot be looked at
 */
export async function destinationOf(path: string): Promise<Destination> {
  const old = await stat(path).catch(ifMissing).catch(unwritable(path));
  if (old?.isDirectory() === true) throw new CommandError(`${path} is a folder.`, EXIT.usage);
  if (old?.isFile() === false)
    return {
      take: (text) => pipeline(text, createWriteStream(path)).catch(unwritable(path, EXIT.failure)),
    };
  const file = await (old === undefined ? missingFile(path) : realpath(path)).catch(unwritable(path));
  return { file, old };
}

/**
 * Lets `work` write a text, which goes to its destination when it has succeeded. Until then it is in a file of its own: one
 * beside the file that it replaces, whose owner and mode it gets, or one that nobody else finds.
 *
 * @throws {CommandError} when it cannot be written
 */
export async function writeWhole<T>(to: Destination, work: (write: Write) => Promise<T>): Promise<T> {
  const path = to.file ?? join(tmpdir(), 'petstore-export');
  const part = join(dirname(path), `.${basename(path)}.${randomBytes(8).toString('hex')}.part`);
  if (to.file !== undefined) await removeOldParts(path);
  const isNew = to.file !== undefined && to.old === undefined;
  const written = await open(part, 'wx+', isNew ? 0o666 : 0o600).catch(unwritable(path));
  try {
    if (to.file === undefined) await rm(part);
    else if (to.old !== undefined) await makeLike(written, to.old, path);
    const result = await work((text) => written.appendFile(text).catch(unwritable(path, EXIT.failure)));
    if (to.file === undefined)
      await to.take(written.createReadStream({ start: 0, encoding: 'utf8', autoClose: false }));
    else await written.sync().then(() => rename(part, path), unwritable(path, EXIT.failure));
    return result;
  } finally {
    await written.close();
    await rm(part, { force: true });
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
  (cause: unknown): never => {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw new CommandError(`${path} cannot be written: ${code}.`, exitCode, { cause });
  };

/** @throws {CommandError} */
async function makeLike(file: FileHandle, old: Stats, path: string): Promise<void> {
  const { uid, gid } = await file.stat();
  if (uid !== old.uid || gid !== old.gid)
    await file.chown(old.uid, old.gid).catch((cause: unknown) => {
      throw new CommandError(
        `${path} belongs to another user or group, to whom a new file cannot be given: remove it, or run this as its owner.`,
        EXIT.usage,
        { cause },
      );
    });
  await file.chmod(old.mode & 0o7777);
}

/** How long nobody has written to a part that is left of a process which was killed, in milliseconds. */
const LEFT_BEHIND_MS = 3_600_000;

async function removeOldParts(path: string): Promise<void> {
  const [folder, beginning, end] = [dirname(path), `.${basename(path)}.`, '.part'];
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(beginning) || !name.endsWith(end)) continue;
    if (!/^[0-9a-f-]+$/.test(name.slice(beginning.length, -end.length))) continue;
    const part = join(folder, name);
    const found = await lstat(part).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < Date.now() - LEFT_BEHIND_MS) await rm(part, { force: true });
  }
}
