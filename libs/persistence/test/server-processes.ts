import type { Client } from 'pg';
import type { TestPostgres } from '@petstore/test-servers';

/** A server that hangs: it holds its connections, accepts new ones, and says nothing. */
export interface Frozen {
  thaw(): void;
}

/** Stops every process of a server in its tracks (SIGSTOP). */
export async function freeze(server: TestPostgres, admin: Client): Promise<Frozen> {
  const { rows } = await admin.query<{ pid: number }>('select pid from pg_stat_activity');
  // Before its children: it would start others in their place.
  const pids = [server.pid, ...rows.map(({ pid }) => pid)];
  const signal = (name: NodeJS.Signals): void => {
    for (const pid of pids) process.kill(pid, name);
  };
  signal('SIGSTOP');
  return {
    thaw: () => {
      signal('SIGCONT');
    },
  };
}

/** Ends a server's process for a session as a crash would; the server then ends all others and recovers. */
export async function crash(admin: Client, applicationName: string): Promise<void> {
  const { rows } = await admin.query<{ pid: number }>(
    'select pid from pg_stat_activity where application_name = $1 limit 1',
    [applicationName],
  );
  process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
}
