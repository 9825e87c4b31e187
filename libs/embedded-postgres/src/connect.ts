import { connect as connectSocket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectionUrl, dataFolder, socketIn } from './data-folder/data-folder.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { readPostmaster } from './data-folder/postmaster.js';
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from './start.js';

/**
 * The first message of a session in version 3.0 of PostgreSQL's protocol. A server that takes sessions asks for
 * a password then (`R`), for whatever user; one that is starting or stopping refuses (`E`).
 */
const STARTUP = startupMessage({ user: 'postgres', database: 'postgres' });
const AUTHENTICATION = 'R'.charCodeAt(0);
const RESPONSE_TIMEOUT_MS = 2_000;

/**
 * Address of the server that runs on this folder already, started by another process; `undefined` when none does.
 *
 * @throws {EmbeddedPostgresError} `not_permitted` when the folder cannot be read by this user.
 */
export async function connectToRunning(dataDir: string): Promise<string | undefined> {
  const folder = dataFolder(dataDir);
  const found = await readPostmaster(folder);
  if (found?.state !== 'ready' || found.sockets === '' || !(await takesSessions(found.sockets)))
    return undefined;
  return connectionUrl(folder, found.sockets);
}

/** A database to work with for a moment, whether the service runs or not. */
export interface OpenedPostgres<Session> {
  readonly session: Session;
  /** Stops the server if it was started for this; leaves a running service's server alone. */
  stop(): Promise<void>;
}

const OPEN_TIMEOUT_MS = 30_000;
const RETRY_MS = 50;

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
  const until = performance.now() + OPEN_TIMEOUT_MS;
  for (;;) {
    const url = await connectToRunning(options.dataDir);
    try {
      if (url === undefined) return await startFor(options, connect);
      return { session: await connect(url), stop: () => Promise.resolve() };
    } catch (error) {
      const passing = url === undefined ? isInUse(error) : (await connectToRunning(options.dataDir)) !== url;
      if (!passing || performance.now() > until) throw error;
      await sleep(RETRY_MS);
    }
  }
}

async function startFor<Session>(
  options: EmbeddedPostgresOptions,
  connect: (url: string) => Promise<Session>,
): Promise<OpenedPostgres<Session>> {
  const server = await startEmbeddedPostgres(options);
  try {
    return { session: await connect(server.url), stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

function isInUse(error: unknown): boolean {
  return error instanceof EmbeddedPostgresError && error.reason === 'folder_in_use';
}

function takesSessions(sockets: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectSocket({ path: socketIn(sockets), timeout: RESPONSE_TIMEOUT_MS });
    const settle = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => socket.write(STARTUP));
    socket.once('data', (bytes) => {
      settle(bytes[0] === AUTHENTICATION);
    });
    socket.once('error', () => {
      settle(false);
    });
    socket.once('timeout', () => {
      settle(false);
    });
  });
}

/** Length, version, and names and values that end with zeros (PostgreSQL manual, section 54.7). */
function startupMessage(parameters: Readonly<Record<string, string>>): Buffer {
  const text = Object.entries(parameters)
    .flat()
    .map((word) => `${word}\0`)
    .join('');
  const message = Buffer.alloc(9 + Buffer.byteLength(text));
  message.writeInt32BE(message.length, 0);
  message.writeInt32BE(3 << 16, 4);
  message.write(text, 8);
  return message;
}
