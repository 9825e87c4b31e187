import type { SchedulerLog } from './scheduler/job-runner.js';
import type { DataSourceSettings } from './schema/data-source.js';

/** Options of {@link PersistenceModule}. */
export interface PersistenceOptions {
  readonly database: DataSourceSettings;
  readonly log: SchedulerLog;
  /** How long events are kept, in days; fractions are allowed. */
  readonly eventRetentionDays: number;
  /** Whether the scheduled jobs run in this process. */
  readonly runsJobs: boolean;
  /** Called with the migrations that were needed, if any. */
  readonly migrated?: (names: readonly string[]) => void;
}
