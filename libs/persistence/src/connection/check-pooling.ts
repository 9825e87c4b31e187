import type { Client, ClientConfig } from 'pg';
import type { DataSource } from 'typeorm';
import { UnsuitableDatabaseError } from './unsuitable-database.error.js';
import { endClient, openClient } from './pg-client.js';

/** For a session to begin. */
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Refuses a connection pooler that gives a session of PostgreSQL to another client between two transactions, such as
 * PgBouncer with `pool_mode = transaction`: prepared statements and settings of a session would be lost, or be
 * another client's.
 *
 * A server tells each session the number of its process when it begins. Only where that is another one than the
 * session itself sees, a pooler stands in between, and two sessions are watched while one has a transaction.
 *
 * @throws {UnsuitableDatabaseError}
 */
export async function checkPooling(dataSource: DataSource, config: ClientConfig): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    const { processID } = (await runner.connect()) as { readonly processID: number };
    const [row] = await runner.manager.query<[Pid]>(PID);
    if (row.pid === processID || (await keepsSessions(config))) return;
  } finally {
    await runner.release();
  }
  throw new UnsuitableDatabaseError(
    'A connection pooler stands in between that gives one session of PostgreSQL to several users (PgBouncer: ' +
      'pool_mode = transaction or statement). Prepared statements and settings of a session are lost there: connect ' +
      'to PostgreSQL itself, or set pool_mode = session.',
  );
}

async function keepsSessions(config: ClientConfig): Promise<boolean> {
  const clients: Client[] = [];
  try {
    const first = await openClient(config, CONNECT_TIMEOUT_MS);
    clients.push(first);
    const before = await pidOf(first);
    const second = await openClient(config, CONNECT_TIMEOUT_MS);
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
