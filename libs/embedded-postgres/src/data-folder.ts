import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { checkNotOpenToAll, checkPrivateFolder, hasCode, readPrivateFile } from './private-files.js';

/** Name of the superuser of an embedded database; the only role there. */
export const SUPERUSER = 'petstore';

/** Part of the socket's name. Each server has a folder of its own, so that one number does for all. */
export const PORT = 5432;

/** Longest path of a socket in bytes: `sun_path` without its last zero (unix(7); 104 bytes on macOS). */
const LONGEST_SOCKET = process.platform === 'darwin' ? 103 : 107;

/** Paths below the data folder of the service. */
export type DataFolder = Readonly<ReturnType<typeof dataFolder>>;

export function dataFolder(dataDir: string) {
  const root = resolve(dataDir);
  const home = join(root, 'postgres');
  const cluster = join(home, 'cluster');
  return {
    /** The service's data folder, absolute. */
    root,
    /** The service's secret, readable by the owner only. */
    pepper: join(root, 'pepper'),
    /** Everything of PostgreSQL, the socket included: no other user may enter it. */
    home,
    socket: join(home, `.s.PGSQL.${PORT}`),
    /** Links to shared libraries. */
    libraries: join(home, 'lib'),
    /** The database and its password: appears whole or not at all. */
    cluster,
    /** PostgreSQL's own data folder. */
    data: join(cluster, 'data'),
    lock: join(cluster, 'data/postmaster.pid'),
    /** The superuser's password. */
    password: join(cluster, 'password'),
  };
}

/**
 * Refuses paths that PostgreSQL cannot work with: libraries are looked for in a list of paths, and the name of a socket is
 * short.
 *
 * @throws {EmbeddedPostgresError} `not_permitted`
 */
export function checkPath({ root, socket }: DataFolder): void {
  const tooLong = Buffer.byteLength(socket) > LONGEST_SOCKET;
  if (!tooLong && !/[:;]/.test(root)) return;
  const why = tooLong ? 'is too long for a socket in it' : 'has ":" or ";", which separate paths';
  throw new EmbeddedPostgresError(
    'not_permitted',
    `The path of the data folder ${root} ${why}. Name another folder with PETSTORE_DATA_DIR.`,
  );
}

/**
 * Makes the service's data folder, and those above it, unless it is there. Others cannot write to what is made, whatever the
 * umask. Not by `recursive` of node's `mkdir`: it never ends where a file system lets nothing be made, such as `/proc`.
 *
 * @throws the file system's error
 */
export async function makeRoot(root: string): Promise<void> {
  const make = (): Promise<void> =>
    mkdir(root, 0o755).catch(async (error: unknown) => {
      if (!hasCode(error, 'EEXIST') || !(await isFolder(root))) throw error;
    });
  await make().catch(async (error: unknown) => {
    const above = dirname(root);
    if (!hasCode(error, 'ENOENT') || above === root) throw error;
    await makeRoot(above);
    await make();
  });
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/**
 * Creates PostgreSQL's folder, private to this user, or checks that the existing one is.
 *
 * @throws {EmbeddedPostgresError} `not_permitted`; the file system's error
 */
export async function makeHome({ root, home }: DataFolder): Promise<void> {
  await makeRoot(root);
  await checkNotOpenToAll(root);
  await mkdir(home, 0o700).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error;
  });
  await checkPrivateFolder(home);
  // Told as it is: what runs as another user below can only say that it could not.
  await access(home, constants.R_OK | constants.W_OK | constants.X_OK);
}

/** Parameters that pg would otherwise take from `PG...` variables, which are meant for other databases. */
const PARAMETERS = 'sslmode=disable&sslnegotiation=postgres&options=%20&replication=false';

/**
 * Address of the database, with the password. It leaves nothing to variables of the environment.
 *
 * @throws {EmbeddedPostgresError} `not_permitted`; the file system's error
 */
export async function connectionUrl({ home, password }: DataFolder): Promise<string> {
  const secret = (await readPrivateFile(password)).trim();
  // The host is the folder of the socket; the one before it makes this a URL for those who take it apart.
  const host = encodeURIComponent(home);
  return `postgresql://${SUPERUSER}:${secret}@localhost:${PORT}/postgres?host=${host}&${PARAMETERS}`;
}

const ADVICE = new Map([
  ['EROFS', 'Make that file system writable'],
  ['ENOSPC', 'Make room on that disk'],
  ['EACCES', 'Start the service as the user it belongs to'],
  ['EPERM', 'Start the service as the user it belongs to'],
]);

/** What to throw for an error of the system: with its words, which have the call and the path. Any other error as it is. */
export function explained(root: string, cause: unknown): unknown {
  const { code, syscall, message } = cause as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return cause;
  if (syscall.startsWith('spawn'))
    return new EmbeddedPostgresError('start_failed', `The database in ${root} did not start: ${message}`, {
      cause,
    });
  const advice = ADVICE.get(code) ?? 'Look at what is there';
  return new EmbeddedPostgresError(
    'not_permitted',
    `The data folder ${root} cannot be used: ${message}. ${advice}, or name another folder with PETSTORE_DATA_DIR.`,
    { cause },
  );
}
