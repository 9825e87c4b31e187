import { realpath } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureCluster } from './cluster.js';
import { checkPath, connectionUrl, type DataFolder, dataFolder, explained, makeHome } from './data-folder.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { findPlatformPackage, linkLibraries } from './platform-package.js';
import { readPostmaster, removeStaleLocks } from './postmaster.js';
import { chooseIdentity, runAs } from './process-identity.js';
import { type ServerProcess, spawnServer } from './server-process.js';
import { serverSettings } from './server-settings.js';

export interface EmbeddedPostgresOptions {
  /** Folder that keeps the data; made when missing. */
  readonly dataDir: string;
  /** Takes every line of the server's log: a few at start and stop, no statements and no data. */
  readonly log: (line: string) => void;
  /** False does not wait for the disk: what is acknowledged survives the server, not the machine. True unless given. */
  readonly durable?: boolean;
  /** Further settings of the server, which override its own. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedPostgres extends Pick<ServerProcess, 'pid' | 'ended' | 'stop'> {
  /** `postgresql://` address of its socket, password included: never to be logged. */
  readonly url: string;
}

/** How long a start waits for a server that is stopping or whose sessions are, and for one that runs. */
const STOPPING_TIMEOUT_MS = 60_000;
const RUNNING_TIMEOUT_MS = 1_000;

const POLL_MS = 10;

/** PostgreSQL's messages about another server, about sessions of a killed one, and about another version. */
const LOCKED = /lock file "postmaster\.pid" (?:already exists|is empty)/;
const SESSIONS = /shared memory block .* is still in use/;
const VERSION = /initialized by PostgreSQL version (?<found>\S+), .* this version (?<ours>\d+)/;

/**
 * Starts the PostgreSQL of this folder on a socket that only this user can reach, making the database when there
 * is none.
 *
 * The server ends with this process, also when that is killed, and what it acknowledged is kept. {@link EmbeddedPostgres.stop}
 * gives other sessions 3 seconds to finish.
 *
 * @throws {EmbeddedPostgresError} when the folder is in use or of another version, or the server cannot run here.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = dataFolder(options.dataDir);
  try {
    const start = await prepare(folder, options);
    const url = await connectionUrl(folder);
    return { ...(await untilStarted(folder, start)), url };
  } catch (error) {
    throw explained(folder.root, error);
  }
}

/** Creates the database if there is none; what starts the server. */
async function prepare(
  folder: DataFolder,
  { log, durable = true, settings = {} }: EmbeddedPostgresOptions,
): Promise<() => Promise<ServerProcess>> {
  checkPath(folder);
  const platform = await findPlatformPackage();
  await makeHome(folder);
  const env = await linkLibraries(platform, folder.libraries);
  const identity = await chooseIdentity(folder.home, platform.postgres, env);
  const noSync = durable ? [] : ['--no-sync'];
  await ensureCluster(folder, identity, (args) =>
    runAs(identity, [platform.initdb, ...args, ...noSync], env),
  );
  // By the path that readPostmaster looks for, whatever links lead to it.
  const data = await realpath(folder.data);
  const command = [platform.postgres, '-D', data, ...serverSettings(folder.home, durable, settings)];
  return () => spawnServer(command, identity, env, log);
}

/** Starts the server until it takes connections, or says why it cannot. */
async function untilStarted(folder: DataFolder, start: () => Promise<ServerProcess>): Promise<ServerProcess> {
  for (const since = performance.now(); ;) {
    await removeStaleLocks(folder);
    const server = await start();
    while (!server.hasEnded()) {
      const found = await readPostmaster(folder);
      if (found?.pid === server.pid && found.isReady) return server;
      await sleep(POLL_MS);
    }
    const output = await server.ended;
    if (performance.now() - since > (await patienceFor(folder, output))) throw failure(folder, output);
    await sleep(POLL_MS);
  }
}

/** How long a start is tried again that has failed with these last lines. */
async function patienceFor(folder: DataFolder, output: string): Promise<number> {
  if (SESSIONS.test(output)) return STOPPING_TIMEOUT_MS;
  if (!LOCKED.test(output)) return 0;
  return (await readPostmaster(folder))?.isStopping === true ? STOPPING_TIMEOUT_MS : RUNNING_TIMEOUT_MS;
}

/** What PostgreSQL says, with what to do about it where that is known. */
function failure({ root }: DataFolder, output: string): EmbeddedPostgresError {
  if (LOCKED.test(output)) {
    const [, pid] = /\(PID (\d+)\)/.exec(output) ?? [];
    return new EmbeddedPostgresError(
      'folder_in_use',
      `The data folder ${root} is in use: a service runs on it${pid === undefined ? '' : `, its PostgreSQL is process ${pid}`}. ` +
        'Stop that service, or give this one another folder with PETSTORE_DATA_DIR.',
    );
  }
  const { found, ours } = VERSION.exec(output)?.groups ?? {};
  if (found === undefined)
    return new EmbeddedPostgresError(
      'start_failed',
      `The database in ${root} did not start. PostgreSQL says:\n${output}`,
    );
  return new EmbeddedPostgresError(
    'other_version',
    `The data folder ${root} holds a database of PostgreSQL ${found}, and the service brings PostgreSQL ${ours}. ` +
      `Copy its content over with pg_dump of PostgreSQL ${found}, start the version of the service that wrote it, ` +
      'or name another folder with PETSTORE_DATA_DIR.',
  );
}
