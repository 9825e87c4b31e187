import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { isExplained } from '../connection/database-errors.js';
import { schemaState } from '../schema/migrate.js';
import { Database } from './database.js';

/** Longest that a check takes: within the timeouts of usual probes. */
const CHECK_TIMEOUT_MS = 1_500;
/** Draws a transaction id, which every write needs: PostgreSQL gives none any more before those of the past would be in the future. */
const TAKES_WRITES = `select case when current_setting('transaction_read_only') = 'off'
  then pg_current_xact_id() is not null else false end as writes`;

/**
 * - `ok`: everything can be served.
 * - `busy`: a session responds, but the schema could not be looked at (no connection free, a table locked), or no
 *   further connection is to be had: requests are served as far as they do not need the same. Or the database does not
 *   respond, and a replica serves reads.
 * - `read_only`: reads can be served, and no writes: the server has become a standby, has been told to take none, or
 *   refuses all by itself.
 * - `schema_outdated`: migrations are missing, or were applied with another text.
 * - `unavailable`: the database does not respond.
 */
export type DatabaseStatus = 'ok' | 'busy' | 'read_only' | 'schema_outdated' | 'unavailable';

/** Whether the database can serve requests. Calls at the same time share one query. */
@Injectable()
export class DatabaseHealth {
  private checking: Promise<DatabaseStatus> | undefined;

  constructor(private readonly database: Database) {}

  /** Never rejects. */
  check(): Promise<DatabaseStatus> {
    const late = sleep(CHECK_TIMEOUT_MS, 'unavailable' as const, { ref: false });
    this.checking ??= Promise.race([this.ask(), late])
      .then((status) => {
        const { state = 'excluded' } = this.database.replica ?? {};
        return status === 'unavailable' && state !== 'excluded' ? 'busy' : status;
      })
      .finally(() => (this.checking = undefined));
    return this.checking;
  }

  private async ask(): Promise<DatabaseStatus> {
    const { database } = this;
    try {
      const { missing, isForeign } = await schemaState(database.dataSource);
      if (missing.length > 0 || isForeign) return 'schema_outdated';
      if (!(await this.takesWrites())) return 'read_only';
      return (await database.takesSessions()) ? 'ok' : 'busy';
    } catch {
      return database.reads.ping().then(
        () => 'busy' as const,
        () => 'unavailable' as const,
      );
    }
  }

  /** Whether a session of the pool may write. One that may not is closed: the next one may lead to another server. */
  private async takesWrites(): Promise<boolean> {
    const runner = this.database.dataSource.createQueryRunner();
    try {
      const client = (await runner.connect()) as Client;
      const [row] = await runner.manager
        .query<[{ readonly writes: boolean }]>(TAKES_WRITES)
        .catch((error: unknown) => {
          // The session is as good as the next one.
          if (isExplained(error)) return [{ writes: undefined }] as const;
          throw error;
        });
      if (row.writes === false) void client.end().catch(() => undefined);
      return row.writes ?? false;
    } finally {
      await runner.release();
    }
  }
}
