import { lstat, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type DataFolder, socketIn } from './data-folder.js';
import { EmbeddedPostgresError } from '../embedded-postgres.error.js';
import { makeFolder } from './make-folder.js';
import { readAbandonedSockets } from './postmaster.js';
import { checkPrivateFolder } from './privacy.js';
import { giveTo, type ProcessIdentity } from '../process/process-identity.js';

/** Longest path of a socket in bytes: `sun_path` without its last zero (unix(7); 104 bytes on macOS). */
const LONGEST_PATH = process.platform === 'darwin' ? 103 : 107;

const TEMPORARY = 'petstore-socket-';

/**
 * The folder in which the server listens, closed to all other users: in the data folder where its path is short
 * enough for a socket, else a new one under the system's temporary folder. PostgreSQL writes down which in its lock
 * file, where tools find it.
 *
 * @throws {EmbeddedPostgresError} `not_permitted` when it would be open to others, or no path is short enough
 */
export async function makeSocketFolder(folder: DataFolder, identity: ProcessIdentity): Promise<string> {
  await removeTemporary(await readAbandonedSockets(folder));
  if (fits(folder.sockets)) {
    await makeFolder(folder.sockets, 0o700);
    await checkPrivateFolder(folder.sockets);
    await giveTo(identity, folder.sockets);
    return folder.sockets;
  }
  for (const parent of [tmpdir(), '/tmp']) {
    if (!fits(join(parent, `${TEMPORARY}xxxxxx`))) continue;
    // Its name cannot be guessed, it is new, and its mode is 0700 from the beginning.
    const made = await mkdtemp(join(parent, TEMPORARY));
    await giveTo(identity, made);
    return made;
  }
  throw new EmbeddedPostgresError(
    'not_permitted',
    `The path of the data folder ${folder.root} is too long for a socket in it, and so is that of the temporary ` +
      'folder. Name a shorter one with PETSTORE_DATA_DIR.',
  );
}

/** Removes a socket folder that was made under the temporary folder, after its server has ended. */
export async function removeTemporary(folder: string | undefined): Promise<void> {
  if (folder === undefined || !isTemporary(folder)) return;
  // What a killed service has left may have been taken by another program since.
  const found = await lstat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) return;
  await checkPrivateFolder(folder).then(
    () => rm(folder, { recursive: true, force: true }),
    () => undefined,
  );
}

function isTemporary(folder: string): boolean {
  return [tmpdir(), '/tmp'].includes(dirname(folder)) && basename(folder).startsWith(TEMPORARY);
}

function fits(folder: string): boolean {
  return Buffer.byteLength(socketIn(folder)) <= LONGEST_PATH;
}
