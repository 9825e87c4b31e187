import { setTimeout as sleep } from 'node:timers/promises';
import { type DataFolder, PORT } from './data-folder.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { readPostmaster, removeStaleLocks } from './postmaster.js';
import type { ProcessIdentity } from './process-identity.js';
import { type ServerProcess, spawnServer } from './server-process.js';

/** What starts and restarts the server of a folder. */
export interface Launch {
  readonly folder: DataFolder;
  readonly socketFolder: string;
  /** Path of the binary. */
  readonly postgres: string;
  readonly identity: ProcessIdentity;
  readonly durable: boolean;
  readonly settings: Readonly<Record<string, string>>;
  /** Takes every line of the server's log. */
  readonly log: (line: string) => void;
}

/** A transient failure: sessions of a killed server are still ending. */
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

/**
 * Command-line settings of the server. They are given at every start, not written into the database
 * folder, so that a new version of the service brings its own.
 */
function serverSettings(
  socketFolder: string,
  durable: boolean,
  further: Readonly<Record<string, string>>,
): string[] {
  const settings = {
    // No network at all: on loopback every user of the machine could take up all connections, or take the
    // port while the server restarts and be told what is meant for it.
    listen_addresses: '',
    port: String(PORT),
    // A list, in which a name in quotation marks may hold anything.
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    max_connections: '100',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    // One process writes and nothing is replicated.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_logical_replication_workers: '0',
    // Short statements: planning for parallel workers or compilation never pays.
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    // A failed statement is reported to its caller; its text may hold data and stays out of the log.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    log_line_prefix: '',
    // What is acknowledged has been handed to the system then: it survives the server, not the machine.
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
    // What sessions share goes away with a folder that is thrown away; elsewhere only the next start removes it.
    ...(durable ? {} : { dynamic_shared_memory_type: 'mmap' }),
    ...further,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
