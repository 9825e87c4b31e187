import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from './database.js';
import type { ReadReplica } from './read-replica.js';

/** Longest that a check takes: within the timeouts of usual probes. */
const CHECK_TIMEOUT_MS = 1_500;

/**
 * - `ok`: everything can be served.
 * - `busy`: a session responds, but the schema could not be looked at (no connection free, a table locked), or no
 *   further connection is to be had: requests are served as far as they do not need the same. Or the database does not
 *   respond, and a replica serves reads.
 * - `read_only`: reads can be served, and no writes: the server has become a standby, or has been told to take none.
 * - `schema_outdated`: migrations are missing.
 * - `unavailable`: the database does not respond.
 */
export type DatabaseStatus = 'ok' | 'busy' | 'read_only' | 'schema_outdated' | 'unavailable';

/** Whether the database can serve requests. Calls at the same time share one query. */
@Injectable()
export class DatabaseHealth {
  private checking: Promise<DatabaseStatus> | undefined;

  constructor(
    @Inject(Database)
    private readonly database: Pick<
      Database,
      'missingMigrations' | 'responds' | 'takesSessions' | 'takesWrites'
    > & {
      readonly replica?: Pick<ReadReplica, 'state'> | undefined;
    },
  ) {}

  /** Never rejects. */
  check(): Promise<DatabaseStatus> {
    const late = sleep(CHECK_TIMEOUT_MS, 'unavailable' as const, { ref: false });
    this.checking ??= Promise.race([this.ask(), late])
      .then((status) => (status === 'unavailable' && this.isReplicaServing ? 'busy' : status))
      .finally(() => (this.checking = undefined));
    return this.checking;
  }

  private get isReplicaServing(): boolean {
    const { replica } = this.database;
    return replica !== undefined && replica.state !== 'excluded';
  }

  private async ask(): Promise<DatabaseStatus> {
    const { database } = this;
    try {
      if ((await database.missingMigrations()).length > 0) return 'schema_outdated';
      if (!(await database.takesWrites())) return 'read_only';
      return (await database.takesSessions()) ? 'ok' : 'busy';
    } catch {
      return database.responds().then(
        () => 'busy' as const,
        () => 'unavailable' as const,
      );
    }
  }
}
