import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type DataFolder, socketIn } from './data-folder.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { checkPrivateFolder, makeFolder } from './private-files.js';
import { giveTo, type ProcessIdentity } from './process-identity.js';

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
  if (fits(folder.socketFolder)) {
    await makeFolder(folder.socketFolder, 0o700);
    await checkPrivateFolder(folder.socketFolder);
    await giveTo(identity, folder.socketFolder);
    return folder.socketFolder;
  }
  const parent = [tmpdir(), '/tmp'].find((path) => fits(join(path, `${TEMPORARY}xxxxxx`)));
  if (parent === undefined) {
    throw new EmbeddedPostgresError(
      'not_permitted',
      `The path of the data folder ${folder.root} is too long for a socket in it, and so is that of the temporary ` +
        'folder. Name a shorter one with PETSTORE_DATA_DIR.',
    );
  }
  // Its name cannot be guessed, it is new, and its mode is 0700 from the beginning.
  const made = await mkdtemp(join(parent, TEMPORARY));
  await giveTo(identity, made);
  return made;
}

/** Removes a socket folder that was made under the temporary folder, after its server has ended. */
export async function removeTemporary(folder: string): Promise<void> {
  if (![tmpdir(), '/tmp'].includes(dirname(folder)) || !basename(folder).startsWith(TEMPORARY)) return;
  // What a killed service has left may have been taken by another program since.
  await checkPrivateFolder(folder).then(
    () => rm(folder, { recursive: true, force: true }),
    () => undefined,
  );
}

function fits(folder: string): boolean {
  return Buffer.byteLength(socketIn(folder)) <= LONGEST_PATH;
}
