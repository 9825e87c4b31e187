import { Inject, Injectable } from '@nestjs/common';
import { Database } from './database.js';

/** Longest that a check takes: within the timeouts of usual probes. */
const CHECK_TIMEOUT_MS = 1_500;

/**
 * - `ok`: everything can be served.
 * - `busy`: a session responds, but the schema could not be looked at (no connection free, a table locked): requests
 *   are served as far as they do not need the same.
 * - `schema_outdated`: migrations are missing.
 * - `unavailable`: the database does not respond.
 */
export type DatabaseStatus = 'ok' | 'busy' | 'schema_outdated' | 'unavailable';

/** Whether the database can serve requests. Calls at the same time share one query. */
@Injectable()
export class DatabaseHealth {
  private checking: Promise<DatabaseStatus> | undefined;

  constructor(
    @Inject(Database) private readonly database: Pick<Database, 'missingMigrations' | 'responds'>,
  ) {}

  /** Never rejects. */
  check(): Promise<DatabaseStatus> {
    this.checking ??= this.checkInTime().finally(() => (this.checking = undefined));
    return this.checking;
  }

  private checkInTime(): Promise<DatabaseStatus> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        resolve('unavailable');
      }, CHECK_TIMEOUT_MS);
      void this.ask().then((status) => {
        clearTimeout(timer);
        resolve(status);
      });
    });
  }

  private async ask(): Promise<DatabaseStatus> {
    try {
      return (await this.database.missingMigrations()).length > 0 ? 'schema_outdated' : 'ok';
    } catch {
      return this.database.responds().then(
        () => 'busy' as const,
        () => 'unavailable' as const,
      );
    }
  }
}
