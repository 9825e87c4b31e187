import { access, constants, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.js';

/** The file system in memory that every Linux has; containers may give it little room. */
const MEMORY = '/dev/shm';

/** Bytes that must be free there: several databases of about 50 MB stand beside each other. */
const ENOUGH_BYTES = 2 ** 30;

/**
 * A {@link temporaryFolder} for data that no test keeps, in memory where there is room: making a database there
 * takes less than half the CPU time. Programs may not be executable in it.
 */
export async function memoryFolder(purpose: string): Promise<TemporaryFolder> {
  return temporaryFolder(purpose, (await hasRoom()) ? MEMORY : tmpdir());
}

async function hasRoom(): Promise<boolean> {
  try {
    await access(MEMORY, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(MEMORY);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}
