import type { Client, ClientConfig } from 'pg';
import { DatabaseClient } from './database-client.js';
import { LoopTimer } from './loop-timer.js';
import { NoAnswerError, SilentServerError } from './no-answer.error.js';

/** How long the server may take to close a session. */
const CLOSE_TIMEOUT_MS = 500;

/**
 * A connection that is ready for use. One limit holds for the way to the server, the log-in and `session`,
 * the statements with which the session begins.
 *
 * @param timeoutMs for all of it together
 * @param setUp called with the client before it connects
 */
export async function openClient(
  config: ClientConfig,
  timeoutMs: number,
  session: readonly string[] = [],
  setUp: (client: Client) => void = ignore,
): Promise<Client> {
  const client = new DatabaseClient({ keepAlive: true, ...config });
  setUp(client);
  let connected = false as boolean;
  let late = false as boolean;
  const timer = new LoopTimer(timeoutMs, () => {
    late = true;
    cutClient(client);
  });
  try {
    await client.connect();
    connected = true;
    await Promise.all(session.map((statement) => client.query(statement)));
    return client;
  } catch (cause) {
    cutClient(client);
    if (!late) throw cause;
    // A server that has taken the session is there: a lock of another session keeps its statements waiting.
    throw connected
      ? new NoAnswerError('The database let no session begin in time.', { cause })
      : new SilentServerError('The database took no connection in time.', { cause });
  } finally {
    timer.cancel();
  }
}

/** Lets running queries end, closes the session, and does not wait longer than this for a server that does not respond. */
export async function endClient(client: Client, timeoutMs = CLOSE_TIMEOUT_MS): Promise<void> {
  const timer = new LoopTimer(timeoutMs, () => {
    cutClient(client);
  });
  await client.end().catch(ignore);
  timer.cancel();
}

/** Destroys the socket; whatever runs on the connection fails as on a lost one. */
export function cutClient({ connection }: Client): void {
  connection.stream.destroy();
}

/** Bytes that the server has sent so far: one that goes on sending is there, however late its responses are. */
export function bytesFrom({ connection }: Client): number {
  return (connection.stream as unknown as { readonly bytesRead: number }).bytesRead;
}

const ignore = (): void => undefined;
