import pgPass from 'pgpass';
import type { Client } from 'pg';

/**
 * The password that the file of `PGPASSFILE`, by default `~/.pgpass`, has for a session; `undefined` without one. The
 * package is the one that pg itself calls, with a warning of its deprecation.
 */
export function passwordFromFile({ host, port, database, user }: Client): Promise<string | undefined> {
  return new Promise((resolve) => {
    pgPass({ host, port, database: database ?? user, user }, resolve);
  });
}
