import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectionUrl, dataFolder } from './data-folder.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { readPostmaster } from './postmaster.js';
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from './start.js';

/** "Do you speak TLS?" of the PostgreSQL protocol: eight bytes, answered with one letter by every server. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);
const ANSWER_WITHIN = 2_000;

/**
 * Address of the server that runs on this folder already, started by another process; `undefined` when none does.
 *
 * @throws {EmbeddedPostgresError} `not_permitted` when the folder cannot be read by this user.
 */
export async function connectToRunning(dataDir: string): Promise<string | undefined> {
  const folder = dataFolder(dataDir);
  const found = await readPostmaster(folder);
  if (found?.state !== 'ready' || !(await isPostgres(found.port))) return undefined;
  return connectionUrl(folder, found.port);
}

/** A database to work with for a moment, whether the service runs or not. */
export interface OpenedPostgres {
  readonly url: string;
  /** Stops the server if it was started for this; leaves a running service's server alone. */
  stop(): Promise<void>;
}

const OPEN_PATIENCE = 5_000;
const RETRY = 50;

/**
 * The running server of this folder, or one started for the caller: for tools that work beside the service.
 * A service that is just starting or stopping is waited for, up to 5 seconds.
 *
 * @throws {EmbeddedPostgresError} as {@link startEmbeddedPostgres}.
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<OpenedPostgres> {
  const until = Date.now() + OPEN_PATIENCE;
  for (;;) {
    const url = await connectToRunning(options.dataDir);
    if (url !== undefined) return { url, stop: () => Promise.resolve() };
    try {
      return await startEmbeddedPostgres(options);
    } catch (error) {
      const busy = error instanceof EmbeddedPostgresError && error.reason === 'folder_in_use';
      if (!busy || Date.now() > until) throw error;
      await sleep(RETRY);
    }
  }
}

function isPostgres(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: ANSWER_WITHIN });
    const answer = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => socket.write(SSL_REQUEST));
    socket.once('data', (bytes) => {
      answer(bytes[0] === 'N'.charCodeAt(0) || bytes[0] === 'S'.charCodeAt(0));
    });
    socket.once('error', () => {
      answer(false);
    });
    socket.once('timeout', () => {
      answer(false);
    });
  });
}
