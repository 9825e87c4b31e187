import type { DatabaseConnection } from './database/database-connection.js';
import type { DataSourceSettings } from './schema/data-source.js';
import type { SchedulerLog } from './scheduler/job-runner.js';

/** What {@link PersistenceModule} is told. */
export interface PersistenceOptions {
  readonly database: DataSourceSettings;
  readonly log: SchedulerLog;
  /**
   * Told of the open connections before anything else of the application is made, so that they can be closed when a
   * later part of the start fails: Nest calls no shutdown hook of an application that it could not create.
   */
  readonly opened?: (connection: DatabaseConnection) => void;
  /** Told which migrations were needed, if any. */
  readonly migrated?: (names: readonly string[]) => void;
}
