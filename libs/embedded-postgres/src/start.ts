import { setTimeout as sleep } from 'node:timers/promises';
import { ensureCluster } from './cluster.js';
import {
  checkPaths,
  connectionUrl,
  type DataFolder,
  dataFolder,
  makeHome,
  explained,
} from './data-folder.js';
import { inUse, launch, type Launch } from './launch.js';
import { findPlatformPackage, linkLibraries } from './platform-package.js';
import { type Postmaster, readPostmaster } from './postmaster.js';
import { chooseIdentity } from './process-identity.js';
import { type EmbeddedPostgresObserver, RestartingServer } from './restarting-server.js';
import { makeSocketFolder, removeTemporary } from './socket-folder.js';

export interface EmbeddedPostgresOptions {
  /** Folder that keeps the data; made when missing. */
  readonly dataDir: string;
  /** Takes every line of the server's log: a few at start and stop, no statements and no data. */
  readonly log: (line: string) => void;
  /** False does not wait for the disk: what is acknowledged survives the server, not the machine. True unless given. */
  readonly durable?: boolean;
  /** Further settings of the server, which override its own. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called when the server dies by itself, and when it is back. */
  readonly observer?: EmbeddedPostgresObserver;
  /** Ends a start early, which then rejects and leaves nothing running; of no effect on a server that has started. */
  readonly cancel?: AbortSignal | undefined;
}

export interface EmbeddedPostgres {
  /** `postgresql://` address of its socket, password included: never to be logged. Stays when the server dies. */
  readonly url: string;
  /** Process id of the server that runs now. */
  readonly pid: number;
  /**
   * Resolves when the server has been stopped; other sessions are given 3 seconds to finish. May be called again. A
   * server that dies by itself is restarted instead.
   */
  stop(): Promise<void>;
}

/** Time to wait for a server that is stopping already, and for one that runs. */
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
  const folder = dataFolder(options.dataDir);
  const settings = await prepare(folder, options).catch((error: unknown) => {
    throw explained(folder.root, error);
  });
  const { socketFolder } = settings;
  try {
    const url = await connectionUrl(folder, socketFolder);
    const server = new RestartingServer(
      await launch(settings, options.cancel),
      (cancel) => launch(settings, cancel),
      options.observer ?? {},
    );
    return {
      url,
      get pid() {
        return server.pid;
      },
      stop: async () => {
        await server.stop();
        await removeTemporary(socketFolder);
      },
    };
  } catch (error) {
    await removeTemporary(socketFolder);
    throw explained(folder.root, error);
  }
}

/** Finds the binaries and an identity to run them, and creates the database if there is none. */
async function prepare(
  folder: DataFolder,
  { log, durable = true, settings = {}, cancel }: EmbeddedPostgresOptions,
): Promise<Launch> {
  const platform = await findPlatformPackage();
  checkPaths(folder, platform);
  await makeHome(folder);
  const killed = await untilFree(folder, cancel);
  if (killed !== undefined) await removeTemporary(killed.socketFolder);
  const env = await linkLibraries(platform, folder.libraries);
  const identity = await chooseIdentity(folder.home, platform.postgres, env);
  await ensureCluster(folder, platform.initdb, identity, durable, cancel);
  const socketFolder = await makeSocketFolder(folder, identity);
  return { folder, socketFolder, postgres: platform.postgres, identity, durable, settings, log };
}

/** Waits until no server runs on the folder; what a killed one has left. */
async function untilFree(folder: DataFolder, cancel?: AbortSignal): Promise<Postmaster | undefined> {
  const since = performance.now();
  for (;;) {
    cancel?.throwIfAborted();
    const found = await readPostmaster(folder);
    if (found === undefined || found.state === 'dead') return found;
    const timeoutMs = found.state === 'stopping' ? STOPPING_TIMEOUT_MS : RUNNING_TIMEOUT_MS;
    if (performance.now() - since > timeoutMs) throw inUse(folder, found.pid);
    await sleep(POLL_MS);
  }
}
