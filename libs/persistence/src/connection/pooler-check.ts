import type { Client } from 'pg';
import { type DatabaseClientConfig, endClient, openClient } from './database-client.js';
import { NoSessionError } from './database-errors.js';

/**
 * Refuses a connection pooler in transaction mode, which gives what the session before had to the next one that begins a
 * transaction: prepared statements, settings and LISTEN would be lost, or be another client's.
 */
export async function refuseTransactionPooler(config: DatabaseClientConfig): Promise<void> {
  const [one, other] = [await openClient(config), await openClient(config)];
  try {
    const before = await pidOf(one);
    await other.query('begin');
    if ((await pidOf(other)) !== before && (await pidOf(one)) === before) return;
    const message = 'a connection pooler shares sessions (PgBouncer: set pool_mode = session)';
    throw new NoSessionError(new Error(message));
  } finally {
    await Promise.all([endClient(one), endClient(other)]);
  }
}

async function pidOf(client: Client): Promise<number | undefined> {
  return (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
}
