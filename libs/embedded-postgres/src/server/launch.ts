import { setTimeout as sleep } from 'node:timers/promises';
import type { DataFolder } from '../data-folder/data-folder.js';
import { EmbeddedPostgresError } from '../embedded-postgres.error.js';
import { readPostmaster, removeStaleLocks } from '../data-folder/postmaster.js';
import type { ProcessIdentity } from '../process/process-identity.js';
import { serverSettings } from './server-settings.js';
import { type Supervised, supervise } from '../process/supervisor.js';

/** All that it takes to run the server of a folder, again and again. */
export interface Launch {
  readonly folder: DataFolder;
  /** Folder of the socket. */
  readonly sockets: string;
  /** Path of the binary. */
  readonly postgres: string;
  readonly identity: ProcessIdentity;
  readonly env: Record<string, string>;
  readonly durable: boolean;
  readonly settings: Readonly<Record<string, string>>;
  /** Takes every line of the server's log. */
  readonly log: (line: string) => void;
}

/** Failures that pass by themselves: sessions of a killed server are still ending. */
const TRANSIENT = /Address already in use|shared memory block .* is still in use/;
const MAX_ATTEMPTS = 10;
const POLL_MS = 10;
/** Pause before the second attempt; each further one waits as much longer. */
const RETRY_STEP_MS = 50;

/**
 * Starts the server and waits until it takes connections, which after a crash is when it has recovered.
 *
 * @param cancel stops what has been started so far; the launch then rejects
 * @throws {EmbeddedPostgresError} `folder_in_use` or `start_failed`.
 */
export async function launch(settings: Launch, cancel?: AbortSignal): Promise<Supervised> {
  const { folder, sockets, postgres, identity, env, durable, log } = settings;
  for (let attempt = 1; ; attempt++) {
    cancel?.throwIfAborted();
    await removeStaleLocks(folder, sockets);
    const command = [postgres, '-D', folder.data, ...serverSettings(sockets, durable, settings.settings)];
    const server = await supervise(command, identity, env, log);
    const failure = await untilReady(folder, server, cancel);
    if (failure === undefined) return server;
    cancel?.throwIfAborted();
    if (attempt === MAX_ATTEMPTS || !TRANSIENT.test(failure)) throw startFailure(folder, failure);
    await sleep(attempt * RETRY_STEP_MS, undefined, { signal: cancel });
  }
}

/** Waits until the server accepts connections; what it wrote when it ended instead. */
async function untilReady(
  folder: DataFolder,
  server: Supervised,
  cancel?: AbortSignal,
): Promise<string | undefined> {
  const end = new AbortController();
  const failed = server.ended.then((text) => {
    end.abort();
    return text;
  });
  while (!end.signal.aborted) {
    if (cancel?.aborted === true) {
      await server.stop();
      return 'cancelled';
    }
    const found = await readPostmaster(folder);
    if (found?.pid === server.pid && found.state === 'ready') return undefined;
    await sleep(POLL_MS);
  }
  return failed;
}

function startFailure(folder: DataFolder, output: string): EmbeddedPostgresError {
  const other = /lock file "postmaster\.pid" (?:already exists|is empty)(?:[^]*PID (\d+))?/.exec(output);
  if (other !== null) return inUse(folder, Number(other[1] ?? 0));
  return new EmbeddedPostgresError(
    'start_failed',
    `The database in ${folder.root} did not start. PostgreSQL says:\n${output}`,
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
