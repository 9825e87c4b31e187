import { ScheduledJobRow } from './scheduled-job.row.js';

/** What regular work brings to the database. */
export const SCHEDULER_RESOURCE = {
  rows: [ScheduledJobRow],
};
