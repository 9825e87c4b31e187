import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import {
  currentUser,
  formatMode,
  isForeignOwner,
  isOpenToOthers,
  openPrivateFile,
  quoteForShell,
} from './private-file.js';
import { EmbeddedPostgresError } from '../embedded-postgres.error.js';

const OTHERS_MAY_WRITE = 0o002;
const STICKY = 0o1000;

/**
 * Refuses a folder in which another user could put something of theirs in the place of ours: one that belongs to
 * another user than this one or root, and one that every user can write to. Its group may be able to.
 *
 * @throws {EmbeddedPostgresError} `not_permitted`
 */
export async function checkNotOpenToAll(folder: string): Promise<void> {
  const { mode, uid } = await lstat(folder);
  // Root can do so in any case.
  if (uid !== 0 && isForeignOwner(uid)) {
    throw refused(
      `The data folder ${folder} belongs to the user with the id ${uid}, who can put other files in the place of the ` +
        `database and its secrets, and the service runs as ${currentUser()}. Start it as that user, name another folder with ` +
        `PETSTORE_DATA_DIR, or, if you know what is in it, take it over with: chown ${currentUser()} ${quoteForShell(folder)}`,
    );
  }
  if ((mode & OTHERS_MAY_WRITE) === 0 || (mode & STICKY) !== 0) return;
  throw refused(
    `Every user can write to the data folder ${folder} (mode ${formatMode(mode)}) and put other files in the place of ` +
      `the database and its secrets. Close it with: chmod o-w ${quoteForShell(folder)}`,
  );
}

/**
 * Refuses a folder that belongs to another user, or that others may enter, as PostgreSQL does with its own.
 *
 * @throws {EmbeddedPostgresError} `not_permitted`
 */
export async function checkPrivateFolder(folder: string): Promise<void> {
  check(folder, await lstat(folder), '0700');
}

/**
 * What is in a file that must be closed to others.
 *
 * @throws {EmbeddedPostgresError} `not_permitted`; the file system's error when it cannot be read
 */
export async function readPrivateFile(path: string): Promise<string> {
  const file = await openPrivateFile(path);
  try {
    check(path, await file.stat(), '0600');
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

function check(path: string, found: Stats, wanted: string): void {
  if (found.isSymbolicLink() || (!found.isFile() && !found.isDirectory())) {
    throw refused(`${path} is a link or no ordinary file, and the database or its password is kept there.`);
  }
  if (isForeignOwner(found.uid)) {
    throw refused(
      `${path} belongs to the user with the id ${found.uid}, and the service runs as ${currentUser()}. Start it as that user, ` +
        `name another folder with PETSTORE_DATA_DIR, or, if you know what is in it, take it over with: ` +
        `chown -R ${currentUser()} ${quoteForShell(path)}`,
    );
  }
  if (!isOpenToOthers(found.mode)) return;
  throw refused(
    `${path} is open to other users (mode ${formatMode(found.mode)}). Close it with: ` +
      `chmod ${wanted} ${quoteForShell(path)}`,
  );
}

function refused(message: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError('not_permitted', message);
}
