import type { Client } from 'pg';
import type { DatabaseClientConfig } from './database-client.js';
import { endClient, openClient } from './pg-client.js';
import { UnsuitableDatabaseError } from './unsuitable-database.error.js';

/**
 * Refuses a connection pooler that gives a session of PostgreSQL to another client between two transactions, such as
 * PgBouncer with `pool_mode = transaction`: prepared statements and settings of a session would be lost, or be
 * another client's.
 *
 * A server tells each session the number of its process when it begins. Only where that is another one than the
 * session itself sees, a pooler stands in between, and two sessions are watched while one has a transaction.
 *
 * @param session without settings, as are the two that are made
 * @throws {UnsuitableDatabaseError}
 */
export async function checkPooling(session: Client, config: DatabaseClientConfig): Promise<void> {
  const { processID } = session as Client & { readonly processID: number };
  if ((await pidOf(session)) === processID || (await keepsSessions(config))) return;
  throw new UnsuitableDatabaseError(
    'A connection pooler stands in between that gives one session of PostgreSQL to several users (PgBouncer: ' +
      'pool_mode = transaction or statement). Prepared statements and settings of a session are lost there: connect ' +
      'to PostgreSQL itself, or set pool_mode = session.',
  );
}

async function keepsSessions(config: DatabaseClientConfig): Promise<boolean> {
  const clients: Client[] = [];
  try {
    const first = await openClient(config);
    clients.push(first);
    const before = await pidOf(first);
    const second = await openClient(config);
    clients.push(second);
    // Has what the first one had, or takes it away from the first one.
    await second.query('begin');
    const taken = await pidOf(second);
    return taken !== before && (await pidOf(first)) === before;
  } finally {
    await Promise.all(clients.map((client) => endClient(client)));
  }
}

interface Pid {
  readonly pid: number;
}

const PID = 'select pg_backend_pid() as pid';

async function pidOf(client: Client): Promise<number | undefined> {
  return (await client.query<Pid>(PID)).rows[0]?.pid;
}
