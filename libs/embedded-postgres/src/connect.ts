import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectionUrl, dataFolder, explained } from './data-folder.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { readPostmaster } from './postmaster.js';
import { hasCode } from './private-files.js';
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from './start.js';

/** Whether there is a database in this folder, which {@link openEmbeddedPostgres} otherwise makes. */
export function hasDatabase(dataDir: string): boolean {
  return existsSync(dataFolder(dataDir).cluster);
}

/**
 * Address of the server that runs on this folder already, started by another process; `undefined` when none does.
 *
 * @throws {EmbeddedPostgresError} `not_permitted` when the folder cannot be read by this user.
 */
export async function connectToRunning(dataDir: string): Promise<string | undefined> {
  return (await findRunning(dataDir))?.url;
}

async function findRunning(dataDir: string): Promise<{ pid: number; url: string } | undefined> {
  const folder = dataFolder(dataDir);
  try {
    const server = await readPostmaster(folder);
    return server?.isReady === true ? { pid: server.pid, url: await connectionUrl(folder) } : undefined;
  } catch (error) {
    throw explained(folder.root, error);
  }
}

/** A session with a database, whether the service runs or not. */
export interface OpenedPostgres<Session> {
  readonly session: Session;
  /** Stops the server if it was started for this; leaves a running service's server alone. */
  stop(): Promise<void>;
}

const OPEN_TIMEOUT_MS = 30_000;
const RETRY_MS = 50;

/** PostgreSQL's `cannot_connect_now`: it recovers from the death of a session, or shuts down. */
const CANNOT_CONNECT_NOW = '57P03';

/**
 * A session with the running server of this folder, or with one started for the caller: for tools that work
 * beside the service. A service that is just starting or stopping is waited for, up to 30 seconds.
 *
 * @param connect makes the session; called again when the server was stopped while it did
 * @throws {EmbeddedPostgresError} as {@link startEmbeddedPostgres}, and what `connect` throws.
 */
export async function openEmbeddedPostgres<Session>(
  options: EmbeddedPostgresOptions,
  connect: (url: string) => Promise<Session>,
): Promise<OpenedPostgres<Session>> {
  for (const until = performance.now() + OPEN_TIMEOUT_MS; ;) {
    const running = await findRunning(options.dataDir);
    try {
      const server =
        running === undefined
          ? await startEmbeddedPostgres(options)
          : { url: running.url, stop: () => Promise.resolve() };
      try {
        return { session: await connect(server.url), stop: server.stop };
      } catch (error) {
        await server.stop();
        throw error;
      }
    } catch (error) {
      const hasGone = running !== undefined && (await findRunning(options.dataDir))?.pid !== running.pid;
      if (!(hasGone || isPassing(error)) || performance.now() > until) throw error;
      await sleep(RETRY_MS);
    }
  }
}

/** Whether another process starts or stops a server here. `connect` may have wrapped the error. */
function isPassing(error: unknown): boolean {
  if (error instanceof EmbeddedPostgresError) return error.reason === 'folder_in_use';
  if (!(error instanceof Error)) return false;
  return hasCode(error, CANNOT_CONNECT_NOW) || isPassing(error.cause);
}
