import { constants, type Stats } from 'node:fs';
import { lstat, open, stat } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';

/** User and group id of "nobody", as whom root runs what refuses to be run by root; every Linux has it. */
export const NOBODY = 65_534;

const GROUP_AND_OTHERS = 0o077;
const OTHERS_MAY_WRITE = 0o002;
const STICKY = 0o1000;

/**
 * Refuses a folder in which another user could replace our files: one that belongs to another user than this one or
 * root, or that every user can write to without the sticky bit. Its group may write. The owner of a link is checked,
 * too.
 *
 * @throws {EmbeddedPostgresError} `not_permitted`
 */
export async function checkNotOpenToAll(folder: string): Promise<void> {
  const found = await stat(folder);
  // Root could replace files anyway.
  for (const { uid } of [found, await lstat(folder)]) if (uid !== 0) checkOwner(folder, uid);
  if ((found.mode & STICKY) === 0) checkMode(folder, found, OTHERS_MAY_WRITE, 'o-w');
}

/**
 * Refuses a folder that is a link, belongs to another user, or that others may enter, as PostgreSQL does with its own.
 *
 * @throws {EmbeddedPostgresError} `not_permitted`
 */
export async function checkPrivateFolder(folder: string): Promise<void> {
  checkPrivate(folder, await lstat(folder), '0700');
}

/**
 * Reads a file that must be private. Does not follow a link, and does not wait for a pipe.
 *
 * @throws {EmbeddedPostgresError} `not_permitted`; the file system's error when it cannot be read
 */
export async function readPrivateFile(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    checkPrivate(path, await file.stat(), '0600');
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

function checkPrivate(path: string, found: Stats, wanted: string): void {
  if (!found.isFile() && !found.isDirectory())
    throw refused(`${path} is a link or no ordinary file, and the database or its secrets are kept there.`);
  checkOwner(path, found.uid);
  checkMode(path, found, GROUP_AND_OTHERS, wanted);
}

function checkOwner(path: string, owner: number): void {
  const user = process.geteuid?.();
  // Root takes over what it runs as "nobody".
  if (user === undefined || owner === user || (user === 0 && owner === NOBODY)) return;
  throw refused(
    `${path} belongs to the user with the id ${owner}, and the service runs as ${user}. Start it as that user, name another ` +
      `folder with PETSTORE_DATA_DIR, or, if you know what is in it, take it over with: chown -R ${user} '${path}'`,
  );
}

function checkMode(path: string, { mode }: Stats, refusedBits: number, wanted: string): void {
  if ((mode & refusedBits) === 0) return;
  const shown = (mode & 0o7777).toString(8).padStart(4, '0');
  throw refused(`${path} is open to other users (mode ${shown}). Close it with: chmod ${wanted} '${path}'`);
}

function refused(message: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError('not_permitted', message);
}

/** Whether an error has this code: of the system, or of PostgreSQL. */
export function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}
