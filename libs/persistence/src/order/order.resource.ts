import { ORDER_READS } from './order-read-statements.js';
import { PLACE, TAKE_TURN } from './order-write-statements.js';
import { OrderRow } from './order.row.js';

/** What orders bring to the database. */
export const ORDER_RESOURCE = {
  rows: [OrderRow],
  reads: ORDER_READS,
  writes: [TAKE_TURN, PLACE],
};
