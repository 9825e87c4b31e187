import { access, constants, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

/** The file system in memory that every Linux has; containers may give it little room. */
const MEMORY = '/dev/shm';

/** Bytes that must be free there: tests of several projects run at once, and each has a database or two of 40 MB. */
const ENOUGH_BYTES = 2 ** 30;

/** The folder in which to make temporary folders: one in memory that has room, else the system's. */
export async function parentInMemory(): Promise<string> {
  try {
    await access(MEMORY, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(MEMORY);
    return bavail * bsize >= ENOUGH_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
