import { setTimeout as sleep } from 'node:timers/promises';
import { checkVersion, ensureCluster } from './data-folder/cluster.js';
import { connectionUrl, type DataFolder, dataFolder, makeHome } from './data-folder/data-folder.js';
import { type EmbeddedPostgresObserver, RestartingServer } from './server/restarting-server.js';
import { inUse, launch, type Launch } from './server/launch.js';
import { linkLibraries, loaderEnvironment } from './binaries/library-links.js';
import { findPlatformPackage } from './binaries/platform-package.js';
import { readPostmaster } from './data-folder/postmaster.js';
import { chooseIdentity } from './process/process-identity.js';
import { makeSocketFolder, removeTemporary } from './data-folder/socket-folder.js';

export interface EmbeddedPostgresOptions {
  /** Folder that keeps the data; made when missing. */
  readonly dataDir: string;
  /** Takes every line of the server's log: a few at start and stop, no statements and no data. */
  readonly log: (line: string) => void;
  /** False does not wait for the disk: what is acknowledged survives the server, not the machine. True unless said. */
  readonly durable?: boolean;
  /** Further settings of the server, which go before its own. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called when the server dies by itself, and when it is back. */
  readonly observer?: EmbeddedPostgresObserver;
}

export interface EmbeddedPostgres {
  /** `postgresql://` address of its socket, password included: never to be logged. Stays when the server dies. */
  readonly url: string;
  /** Process id of the server that runs now. */
  readonly pid: number;
  /** Resolves when the server has been stopped; one that dies by itself is restarted instead. */
  readonly ended: Promise<void>;
  /** Stops the server; other sessions are given 3 seconds to finish. May be called again. */
  stop(): Promise<void>;
}

/** How long to wait for a server that stops already, and for one that runs. */
const STOPPING_TIMEOUT_MS = 60_000;
const RUNNING_TIMEOUT_MS = 1_000;

const POLL_MS = 10;

/**
 * Starts the PostgreSQL of this folder on a socket that only this user can reach, making the database when there
 * is none.
 *
 * The server ends with this process, also when that is killed, and what it acknowledged is kept. One that dies
 * by itself is restarted under the same address until {@link EmbeddedPostgres.stop} is called.
 *
 * @throws {EmbeddedPostgresError} when the folder is in use or of another version, or the server cannot run here.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const settings = await prepare(options);
  const { folder, sockets } = settings;
  try {
    const url = await connectionUrl(folder, sockets);
    const server = new RestartingServer(
      await launch(settings),
      (cancel) => launch(settings, cancel),
      options.observer ?? {},
    );
    return {
      url,
      get pid() {
        return server.pid;
      },
      ended: server.ended,
      stop: async () => {
        await server.stop();
        await removeTemporary(sockets);
      },
    };
  } catch (error) {
    await removeTemporary(sockets);
    throw error;
  }
}

/** Finds the binaries and a way to run them, and makes the database unless it is there. */
async function prepare({
  dataDir,
  log,
  durable = true,
  settings = {},
}: EmbeddedPostgresOptions): Promise<Launch> {
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
  const sockets = await makeSocketFolder(folder, identity);
  return { folder, sockets, postgres, identity, env, durable, settings, log };
}

async function untilFree(folder: DataFolder): Promise<void> {
  const since = performance.now();
  for (;;) {
    const holder = await readPostmaster(folder);
    if (holder === undefined) return;
    const timeoutMs = holder.state === 'stopping' ? STOPPING_TIMEOUT_MS : RUNNING_TIMEOUT_MS;
    if (performance.now() - since > timeoutMs) throw inUse(folder, holder.pid);
    await sleep(POLL_MS);
  }
}
