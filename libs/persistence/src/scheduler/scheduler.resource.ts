import { CreateScheduledJobs1795158000000 } from '../migrations/1795158000000-create-scheduled-jobs.js';
import { ScheduledJobRow } from './scheduled-job.row.js';

/** What regular work brings to the database. */
export const SCHEDULER_RESOURCE = {
  rows: [ScheduledJobRow],
  migrations: [CreateScheduledJobs1795158000000],
};
