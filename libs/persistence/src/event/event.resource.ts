import { EventHeadRow } from './event-head.row.js';
import { EventRow } from './event.row.js';
import { EVENT_READS } from './feed-statements.js';
import { OutboxRow } from './outbox.row.js';

/** What events bring to the database. */
export const EVENT_RESOURCE = {
  rows: [OutboxRow, EventRow, EventHeadRow],
  reads: EVENT_READS,
};
