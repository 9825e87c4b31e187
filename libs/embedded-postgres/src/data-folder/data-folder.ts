import { join, resolve } from 'node:path';
import { EmbeddedPostgresError } from '../embedded-postgres.error.js';
import { makeFolder } from './make-folder.js';
import { checkNotOpenToAll, checkPrivateFolder, readPrivateFile } from './privacy.js';

/** Name of the superuser of an embedded database; the only role there. */
export const SUPERUSER = 'petstore';

/** Part of the socket's name. Each server has a folder of its own, so that one number does for all. */
export const PORT = 5432;

/** The socket in a folder, as PostgreSQL calls it. */
export function socketIn(sockets: string): string {
  return join(sockets, `.s.PGSQL.${PORT}`);
}

/** What lies where below the data folder of the service. */
export interface DataFolder {
  /** The service's data folder, absolute. */
  readonly root: string;
  /** Everything of PostgreSQL. */
  readonly home: string;
  /** Links to shared libraries. */
  readonly libraries: string;
  /** The socket, if the path is short enough. */
  readonly sockets: string;
  /** The database and its password: appears whole or not at all. */
  readonly cluster: string;
  /** PostgreSQL's own data folder. */
  readonly data: string;
  /** The superuser's password, readable by the owner only. */
  readonly password: string;
}

export function dataFolder(dataDir: string): DataFolder {
  const root = resolve(dataDir);
  const home = join(root, 'postgres');
  const cluster = join(home, 'cluster');
  return {
    root,
    home,
    libraries: join(home, 'lib'),
    sockets: join(home, 'socket'),
    cluster,
    data: join(cluster, 'data'),
    password: join(cluster, 'password'),
  };
}

/**
 * Makes the folder of PostgreSQL, closed to other users, or looks whether the one that is there is.
 *
 * @throws {EmbeddedPostgresError} `not_permitted`
 */
export async function makeHome({ root, home }: DataFolder): Promise<void> {
  try {
    await makeFolder(root);
    await checkNotOpenToAll(root);
    await makeFolder(home, 0o700);
    await checkPrivateFolder(home);
  } catch (cause) {
    throw notPermitted(root, cause);
  }
}

/**
 * Address of the database, password included. Programs of PostgreSQL understand it, too.
 *
 * @param sockets folder of the server's socket
 */
export async function connectionUrl(folder: DataFolder, sockets: string): Promise<string> {
  try {
    const password = (await readPrivateFile(folder.password)).trim();
    // The host is the folder; the one before it makes this a URL for those who take it apart.
    const host = encodeURIComponent(sockets);
    return `postgresql://${SUPERUSER}:${password}@localhost:${PORT}/postgres?host=${host}`;
  } catch (cause) {
    throw notPermitted(folder.root, cause);
  }
}

/** What the file system said of the data folder, or why it was refused. */
export function notPermitted(root: string, cause: unknown): EmbeddedPostgresError {
  if (cause instanceof EmbeddedPostgresError) return cause;
  const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
  return new EmbeddedPostgresError(
    'not_permitted',
    `The data folder ${root} cannot be used (${code}). ` +
      'Start the service as the user it belongs to, or name another folder with PETSTORE_DATA_DIR.',
    undefined,
    { cause },
  );
}
