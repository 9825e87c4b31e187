import type { Client } from 'pg';
import { DatabaseClient, type DatabaseClientConfig } from './database-client.js';

/** How long the server may take to close a session. */
const CLOSE_TIMEOUT_MS = 500;

/** A connection that is ready for use. */
export async function openClient(config: DatabaseClientConfig): Promise<Client> {
  return new DatabaseClient(config).connect();
}

/** Lets running queries end, closes the session, and cuts a connection to a server that does not respond. */
export async function endClient(client: Client, timeoutMs = CLOSE_TIMEOUT_MS): Promise<void> {
  const timer = setTimeout(() => {
    cutClient(client);
  }, timeoutMs);
  await client.end().catch(() => undefined);
  clearTimeout(timer);
}

/** Destroys the socket; whatever runs on the connection fails as on a lost one. */
export function cutClient({ connection }: Client): void {
  connection.stream.destroy();
}

/** Bytes that the server has sent so far: a server that keeps sending is available, however late its responses are. */
export function bytesFrom({ connection }: Client): number {
  return (connection.stream as unknown as { readonly bytesRead: number }).bytesRead;
}
