import { Inject, Injectable } from '@nestjs/common';
import type { CircuitBreaker } from '../connection/circuit-breaker.js';
import { RunningTimeout } from '../connection/running-timeout.js';
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
 * - `unavailable`: the database does not respond, or requests are refused because it did not.
 */
export type DatabaseStatus = 'ok' | 'busy' | 'read_only' | 'schema_outdated' | 'unavailable';

/** Whether the database can serve requests. Calls at the same time share one query. */
@Injectable()
export class DatabaseHealth {
  private checking: Promise<DatabaseStatus> | undefined;

  constructor(
    @Inject(Database)
    private readonly database: Pick<Database, 'missingMigrations' | 'responds' | 'takesWrites'> & {
      readonly breaker: Pick<CircuitBreaker, 'refusal' | 'isLimited' | 'hasRespondedSince'>;
      readonly replica?: Pick<ReadReplica, 'state'> | undefined;
    },
  ) {}

  /** Never rejects. */
  check(): Promise<DatabaseStatus> {
    const since = performance.now();
    this.checking ??= this.checkInTime()
      .then((status) => (status === 'unavailable' && this.isServing(since) ? 'busy' : status))
      .finally(() => (this.checking = undefined));
    return this.checking;
  }

  /** Whether a replica serves reads, or sessions of requests have responded while that of the check did not. */
  private isServing(since: number): boolean {
    const { breaker, replica } = this.database;
    if ((replica?.state ?? 'left_out') !== 'left_out') return true;
    return breaker.refusal === undefined && breaker.hasRespondedSince(since);
  }

  private checkInTime(): Promise<DatabaseStatus> {
    return new Promise((resolve) => {
      const timeout = new RunningTimeout(CHECK_TIMEOUT_MS, () => {
        resolve('unavailable');
      });
      void this.ask().then((status) => {
        timeout.cancel();
        resolve(status);
      });
    });
  }

  private async ask(): Promise<DatabaseStatus> {
    const status = await this.look();
    const { refusal, isLimited } = this.database.breaker;
    if (refusal !== undefined) return 'unavailable';
    return status === 'ok' && isLimited ? 'busy' : status;
  }

  private async look(): Promise<DatabaseStatus> {
    try {
      if ((await this.database.missingMigrations()).length > 0) return 'schema_outdated';
      return (await this.database.takesWrites()) ? 'ok' : 'read_only';
    } catch {
      return this.database.responds().then(
        () => 'busy' as const,
        () => 'unavailable' as const,
      );
    }
  }
}
