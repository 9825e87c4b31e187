import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Rights of the group and of all others. */
const GROUP_AND_OTHERS = 0o077;

/** User and group id of "nobody", as whom root runs what refuses to be run by root; every Linux has it. */
export const NOBODY = 65_534;

/** The user that this process runs as; none where systems have no such numbers. */
export function currentUser(): number | undefined {
  return process.geteuid?.();
}

/** Whether something of this owner is another user's. Root takes over what it runs as "nobody". */
export function isForeignOwner(owner: number): boolean {
  const user = currentUser();
  return user !== undefined && owner !== user && !(user === 0 && owner === NOBODY);
}

/** Whether the group or others may read, write or enter. */
export function isOpenToOthers(mode: number): boolean {
  return (mode & GROUP_AND_OTHERS) !== 0;
}

/** The rights as `chmod` takes them: `0640`. */
export function formatMode(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, '0');
}

/** A path to be pasted into a shell. */
export function quoteForShell(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * Opens a file to read it. Does not follow a link, which may lead anywhere (`ELOOP`), nor wait for a pipe; whether it is
 * an ordinary file is for the caller to look at, on the handle.
 *
 * @throws the file system's error
 */
export function openPrivateFile(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
}
