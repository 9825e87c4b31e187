import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';

/** Name of the superuser of an embedded database; the only role there. */
export const SUPERUSER = 'petstore';

/** What lies where below the data folder of the service. */
export interface DataFolder {
  /** The service's data folder, absolute. */
  readonly root: string;
  /** Everything of PostgreSQL. */
  readonly home: string;
  /** Links to shared libraries. */
  readonly libraries: string;
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
    cluster,
    data: join(cluster, 'data'),
    password: join(cluster, 'password'),
  };
}

/** Makes the folder of PostgreSQL, closed to other users. */
export async function makeHome({ root, home }: DataFolder): Promise<void> {
  try {
    await mkdir(root, { recursive: true });
    await mkdir(home, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw notPermitted(root, cause);
  }
}

/** Address of the database, password included. */
export async function connectionUrl(folder: DataFolder, port: number): Promise<string> {
  try {
    const password = (await readFile(folder.password, 'utf8')).trim();
    return `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`;
  } catch (cause) {
    throw notPermitted(folder.root, cause);
  }
}

export function notPermitted(root: string, cause: unknown): EmbeddedPostgresError {
  const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
  return new EmbeddedPostgresError(
    'not_permitted',
    `The data folder ${root} cannot be used (${code}). ` +
      'Start the service as the user it belongs to, or name another folder with PETSTORE_DATA_DIR.',
    undefined,
    { cause },
  );
}
