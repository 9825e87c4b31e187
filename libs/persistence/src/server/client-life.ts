import { Client, type ClientConfig } from 'pg';
import { NoAnswer } from '../connection-failure.js';

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
  const client = new Client({ keepAlive: true, ...config });
  setUp(client);
  // An error of an open connection is followed by its end, which is what its owner listens to.
  client.on('error', ignore);
  let late = false as boolean;
  const timer = setTimeout(() => {
    late = true;
    cutClient(client);
  }, within);
  try {
    await client.connect();
    if (session !== '') await client.query(session);
    return client;
  } catch (error) {
    cutClient(client);
    if (late) throw new NoAnswer('The database took no connection in time.', { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Lets running queries end, says goodbye, and does not wait for a server that never answers it. */
export async function endClient(client: Client, within = GOODBYE): Promise<void> {
  const timer = setTimeout(() => {
    cutClient(client);
  }, within);
  await client.end().catch(ignore);
  clearTimeout(timer);
}

/** Ends a connection without a word; whatever runs on it fails as a lost connection. */
export function cutClient({ connection }: Client): void {
  connection.stream.destroy();
}

const ignore = (): void => undefined;
