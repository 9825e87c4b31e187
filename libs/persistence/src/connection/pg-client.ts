import type { Client, ClientConfig } from 'pg';
import { NoAnswer, SilentServerError } from './connection-failure.js';
import { DatabaseClient } from './database-client.js';
import { LoopTimer } from './loop-timer.js';

/** How long a server may take to say goodbye, in milliseconds. */
const GOODBYE = 500;

/**
 * A connection that is ready for use. One limit holds for the way to the server, the log-in and `session`,
 * the statements with which the session begins.
 *
 * @param within milliseconds
 * @param setUp told of the client before it connects
 */
export async function openClient(
  config: ClientConfig,
  within: number,
  session = '',
  setUp: (client: Client) => void = ignore,
): Promise<Client> {
  const client = new DatabaseClient({ keepAlive: true, ...config });
  setUp(client);
  let connected = false as boolean;
  let late = false as boolean;
  const timer = new LoopTimer(within, () => {
    late = true;
    cutClient(client);
  });
  try {
    await client.connect();
    connected = true;
    if (session !== '') await client.query(session);
    return client;
  } catch (cause) {
    cutClient(client);
    if (!late) throw cause;
    // A server that has taken the session is there: a lock that somebody holds keeps its statements waiting.
    throw connected
      ? new NoAnswer('The database let no session begin in time.', { cause })
      : new SilentServerError('The database took no connection in time.', { cause });
  } finally {
    timer.cancel();
  }
}

/** Lets running queries end, says goodbye, and does not wait for a server that never answers it. */
export async function endClient(client: Client, within = GOODBYE): Promise<void> {
  const timer = new LoopTimer(within, () => {
    cutClient(client);
  });
  await client.end().catch(ignore);
  timer.cancel();
}

/** Ends a connection without a word; whatever runs on it fails as a lost connection. */
export function cutClient({ connection }: Client): void {
  connection.stream.destroy();
}

/** Bytes that the server has sent so far: one that goes on sending is there, however late its answers are. */
export function bytesFrom({ connection }: Client): number {
  return (connection.stream as unknown as { readonly bytesRead: number }).bytesRead;
}

const ignore = (): void => undefined;
