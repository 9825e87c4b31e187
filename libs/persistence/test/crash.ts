import type { Client } from 'pg';

/** Ends a server's process for a session as a crash would; the server then ends all others and recovers. */
export async function crash(admin: Client, applicationName: string): Promise<void> {
  const { rows } = await admin.query<{ pid: number }>(
    'select pid from pg_stat_activity where application_name = $1 limit 1',
    [applicationName],
  );
  process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
}
