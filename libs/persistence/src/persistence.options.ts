import type { DataSourceSettings } from './schema/data-source.js';
import type { SchedulerLog } from './scheduler/job-runner.js';

/** What {@link PersistenceModule} is told. */
export interface PersistenceOptions {
  readonly database: DataSourceSettings;
  readonly log: SchedulerLog;
  /** The `Location` that version 1.0.0 gave out for an animal: answers of its requests are repeated with it. */
  readonly locationOfPet: (petId: string) => string;
  /** Told which migrations were needed, if any. */
  readonly migrated?: (names: readonly string[]) => void;
}
