import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkVersion, ensureCluster } from './cluster.js';
import { connectionUrl, type DataFolder, dataFolder, makeHome } from './data-folder.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { linkLibraries, loaderEnvironment } from './library-links.js';
import { findPlatformPackage } from './platform-package.js';
import { readPostmaster, removeStaleLock } from './postmaster.js';
import { chooseIdentity } from './process-identity.js';
import { serverSettings } from './server-settings.js';
import { type Supervised, supervise } from './supervisor.js';

export interface EmbeddedPostgresOptions {
  /** Folder that keeps the data; made when missing. */
  readonly dataDir: string;
  /** Takes every line of the server's log: a few at start and stop, no statements and no data. */
  readonly log: (line: string) => void;
  /** False gives up durability for speed, for databases that nobody keeps. True unless said. */
  readonly durable?: boolean;
}

export interface EmbeddedPostgres {
  /** `postgresql://` address on loopback, password included: never to be logged. */
  readonly url: string;
  readonly port: number;
  /** Process id of the server. */
  readonly pid: number;
  /** Resolves when the server has ended, stopped or not. */
  readonly ended: Promise<void>;
  /** Stops the server; other sessions are given 3 seconds to finish. May be called again. */
  stop(): Promise<void>;
}

/** A server on its way out is waited for, one that runs well only so long, in milliseconds. */
const STOPPING_PATIENCE = 60_000;
const RUNNING_PATIENCE = 1_000;

const POLL = 10;

/** Failures that pass: somebody took the port in between, or sessions of a killed server are still ending. */
const PASSING = /Address already in use|shared memory block .* is still in use/;
const START_TRIES = 10;

/**
 * Starts the PostgreSQL of this folder on loopback and a free port, making the database when there is none.
 *
 * The server ends with this process, also when that is killed, and what it acknowledged is kept.
 *
 * @throws {EmbeddedPostgresError} when the folder is in use or of another version, or the server cannot run here.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, durable = true } = options;
  const folder = dataFolder(dataDir);
  const { initdb, postgres, libraryLinks } = await findPlatformPackage();
  await makeHome(folder);
  await untilFree(folder);
  await linkLibraries(folder.libraries, libraryLinks);
  const env = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LC_ALL: 'C',
    ...loaderEnvironment(folder.libraries),
  };
  const { identity, major } = await chooseIdentity(folder.home, postgres, env);
  await checkVersion(folder, major);
  await ensureCluster(folder, { initdb, identity, env, durable });
  await removeStaleLock(folder);
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const command = [postgres, '-D', folder.data, ...serverSettings(port, durable)];
    const server = await supervise(command, identity, env, log);
    const failure = await untilReady(folder, server);
    if (failure === undefined) {
      const ended = server.ended.then(() => undefined);
      return {
        url: await connectionUrl(folder, port),
        port,
        pid: server.pid,
        ended,
        stop: () => server.stop(),
      };
    }
    if (attempt === START_TRIES || !PASSING.test(failure)) throw startFailure(folder, failure);
    await sleep(attempt * 50);
  }
}

async function untilFree(folder: DataFolder): Promise<void> {
  const since = Date.now();
  for (;;) {
    const holder = await readPostmaster(folder);
    if (holder === undefined) return;
    const patience = holder.state === 'stopping' ? STOPPING_PATIENCE : RUNNING_PATIENCE;
    if (Date.now() - since > patience) throw inUse(folder, holder.pid);
    await sleep(POLL);
  }
}

/** Waits until the server accepts connections; what it wrote when it ended instead. */
async function untilReady(folder: DataFolder, server: Supervised): Promise<string | undefined> {
  const end = new AbortController();
  const failed = server.ended.then((text) => {
    end.abort();
    return text;
  });
  while (!end.signal.aborted) {
    const found = await readPostmaster(folder);
    if (found?.pid === server.pid && found.state === 'ready') return undefined;
    await sleep(POLL);
  }
  return failed;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        resolve(typeof address === 'object' && address ? address.port : 0);
      });
    });
  });
}

function startFailure(folder: DataFolder, output: string): EmbeddedPostgresError {
  const other = /lock file "postmaster\.pid" (?:already exists|is empty)(?:[^]*PID (\d+))?/.exec(output);
  if (other !== null) return inUse(folder, Number(other[1] ?? 0));
  return new EmbeddedPostgresError(
    'start_failed',
    `The database in ${folder.root} did not start. PostgreSQL says:\n${output}`,
  );
}

function inUse({ root }: DataFolder, pid: number): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'folder_in_use',
    `The data folder ${root} is in use: a service runs on it${pid > 0 ? `, its PostgreSQL is process ${pid}` : ''}. ` +
      'Stop that service, or give this one another folder with PETSTORE_DATA_DIR.',
    pid,
  );
}
