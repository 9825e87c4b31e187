import { CreateEvents1795168800000 } from '../migrations/1795168800000-create-events.js';
import { EventHeadRow } from './event-head.row.js';
import { EventRow } from './event.row.js';
import { EVENT_READS } from './feed-statements.js';
import { OutboxRow } from './outbox.row.js';

/** What events bring to the database; their migration makes the table `inventory`, too, which they keep. */
export const EVENT_RESOURCE = {
  rows: [OutboxRow, EventRow, EventHeadRow],
  migrations: [CreateEvents1795168800000],
  reads: EVENT_READS,
};
