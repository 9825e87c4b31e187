import { constants, existsSync, type Stats } from 'node:fs';
import { lstat, mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';

/** User and group id of "nobody", as whom root runs what refuses to be run by root; every Linux has it. */
export const NOBODY = 65_534;

const GROUP_AND_OTHERS = 0o077;
const OTHERS_MAY_WRITE = 0o002;
const STICKY = 0o1000;

/**
 * Makes a folder and those above it, unless it is there. Node's own `recursive` never returns where a folder says of its
 * children that there is no such file, as `/proc` does.
 *
 * @param path absolute
 * @param mode of the folder itself, less the umask; by default others cannot write to it, whatever the umask
 * @throws the file system's error
 */
export async function makeFolder(path: string, mode = 0o755): Promise<void> {
  if (!existsSync(dirname(path))) await makeFolder(dirname(path));
  await mkdir(path, mode).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error;
  });
}

/**
 * Refuses a folder in which another user could replace our files: one that belongs to another user than this one or
 * root, or that every user can write to without the sticky bit. Its group may write. The owner of a link is checked,
 * too.
 *
 * @throws {EmbeddedPostgresError} `not_permitted`
 */
export async function checkNotOpenToAll(folder: string): Promise<void> {
  const { mode, uid: owner } = await stat(folder);
  // Root could replace files anyway.
  const uid = [owner, (await lstat(folder)).uid].find((id) => id !== 0 && isForeignOwner(id));
  if (uid !== undefined) {
    throw refused(
      `The data folder ${folder} belongs to the user with the id ${uid}, who can put other files in the place of the ` +
        `database and its secrets, and the service runs as ${currentUserId()}. Start it as that user, name another folder with ` +
        `PETSTORE_DATA_DIR, or, if you know what is in it, take it over with: chown ${currentUserId()} ${quoteForShell(folder)}`,
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
  checkPrivate(folder, await lstat(folder), '0700', folder);
}

/**
 * Reads a file that must be private. Does not follow a link, and does not wait for a pipe.
 *
 * @param subject what a refusal calls the file
 * @throws {EmbeddedPostgresError} `not_permitted`; the file system's error when it cannot be read
 */
export async function readPrivateFile(path: string, subject = path): Promise<string> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const file = await open(path, flags).catch((error: unknown) => {
    throw hasCode(error, 'ELOOP') ? notOrdinary(path) : error;
  });
  try {
    checkPrivate(path, await file.stat(), '0600', subject);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

function checkPrivate(path: string, found: Stats, wanted: string, subject: string): void {
  if (!found.isFile() && !found.isDirectory()) throw notOrdinary(path);
  if (isForeignOwner(found.uid)) {
    throw refused(
      `${subject} belongs to the user with the id ${found.uid}, and the service runs as ${currentUserId()}. Start it as that user, ` +
        `name another folder with PETSTORE_DATA_DIR, or, if you know what is in it, take it over with: ` +
        `chown -R ${currentUserId()} ${quoteForShell(path)}`,
    );
  }
  if ((found.mode & GROUP_AND_OTHERS) === 0) return;
  throw refused(
    `${subject} is open to other users (mode ${formatMode(found.mode)}). Close it with: ` +
      `chmod ${wanted} ${quoteForShell(path)}`,
  );
}

function notOrdinary(path: string): EmbeddedPostgresError {
  return refused(`${path} is a link or no ordinary file, and the database or its secrets are kept there.`);
}

function refused(message: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError('not_permitted', message);
}

/** Id of the user that this process runs as; none where systems have no such numbers. */
function currentUserId(): number | undefined {
  return process.geteuid?.();
}

/** Whether something of this owner is another user's. Root takes over what it runs as "nobody". */
export function isForeignOwner(owner: number): boolean {
  const user = currentUserId();
  return user !== undefined && owner !== user && !(user === 0 && owner === NOBODY);
}

/** The rights as `chmod` takes them: `0640`. */
function formatMode(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, '0');
}

/** A path to be pasted into a shell. */
export function quoteForShell(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

/** Whether an error has this code: of the system, or of PostgreSQL. */
export function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}
