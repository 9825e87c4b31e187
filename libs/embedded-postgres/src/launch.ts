import { setTimeout as sleep } from 'node:timers/promises';
import type { DataFolder } from './data-folder.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { readPostmaster, removeStaleLocks } from './postmaster.js';
import type { ProcessIdentity } from './process-identity.js';
import { type ServerProcess, spawnServer } from './server-process.js';
import { serverSettings } from './server-settings.js';

/** All that it takes to run the server of a folder, again and again. */
export interface Launch {
  readonly folder: DataFolder;
  /** Folder of the socket. */
  readonly socketFolder: string;
  /** Path of the binary. */
  readonly postgres: string;
  readonly identity: ProcessIdentity;
  readonly durable: boolean;
  readonly settings: Readonly<Record<string, string>>;
  /** Takes every line of the server's log. */
  readonly log: (line: string) => void;
}

/** A failure that passes by itself: sessions of a killed server are still ending. */
const TRANSIENT = /shared memory block .* is still in use/;
const MAX_ATTEMPTS = 10;
const POLL_MS = 10;
/** Pause before the second attempt; each further one waits as much longer. */
const RETRY_STEP_MS = 50;

/**
 * Starts the server and waits until it takes connections, which after a crash is when it has recovered.
 *
 * @param cancel stops what has been started so far; the launch then rejects
 * @throws {EmbeddedPostgresError} `folder_in_use`, `other_version` or `start_failed`.
 */
export async function launch(options: Launch, cancel?: AbortSignal): Promise<ServerProcess> {
  const { folder, socketFolder, postgres, identity, durable, log } = options;
  const command = [postgres, '-D', folder.data, ...serverSettings(socketFolder, durable, options.settings)];
  for (let attempt = 1; ; attempt++) {
    cancel?.throwIfAborted();
    await removeStaleLocks(folder, socketFolder);
    const server = await spawnServer(command, identity, log);
    if (await becomesReady(folder, server, cancel)) return server;
    const output = await server.ended;
    if (attempt === MAX_ATTEMPTS || !TRANSIENT.test(output)) throw startFailure(folder, output);
    await sleep(attempt * RETRY_STEP_MS, undefined, { signal: cancel });
  }
}

/** Waits until the server accepts connections; false when it ended instead. */
async function becomesReady(
  folder: DataFolder,
  server: ServerProcess,
  cancel?: AbortSignal,
): Promise<boolean> {
  while (!server.hasEnded) {
    if (cancel?.aborted === true) {
      await server.stop();
      cancel.throwIfAborted();
    }
    const found = await readPostmaster(folder);
    if (found?.pid === server.pid && found.state === 'ready') return true;
    await sleep(POLL_MS);
  }
  return false;
}

function startFailure(folder: DataFolder, output: string): EmbeddedPostgresError {
  const lock = /lock file "postmaster\.pid" (?:already exists|is empty)(?:[^]*PID (\d+))?/.exec(output);
  if (lock !== null) return inUse(folder, Number(lock[1] ?? 0));
  const version = /initialized by PostgreSQL version (\S+), .* this version (\d+)/.exec(output);
  if (version !== null) return otherVersion(folder, version[1] ?? '', version[2] ?? '');
  return new EmbeddedPostgresError(
    'start_failed',
    `The database in ${folder.root} did not start. PostgreSQL says:\n${output}`,
  );
}

function otherVersion({ root }: DataFolder, found: string, ours: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'other_version',
    `The data folder ${root} holds a database of PostgreSQL ${found}, and the service brings PostgreSQL ${ours}. ` +
      `Copy its content over with pg_dump of PostgreSQL ${found}, start the version of the service that wrote it, ` +
      'or name another folder with PETSTORE_DATA_DIR.',
  );
}

export function inUse({ root }: DataFolder, pid: number): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'folder_in_use',
    `The data folder ${root} is in use: a service runs on it${pid > 0 ? `, its PostgreSQL is process ${pid}` : ''}. ` +
      'Stop that service, or give this one another folder with PETSTORE_DATA_DIR.',
    pid,
  );
}
