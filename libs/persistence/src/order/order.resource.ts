import { CreateOrders1795176000000 } from '../migrations/1795176000000-create-orders.js';
import { ORDER_READS } from './order-read-statements.js';
import { PLACE, TAKE_TURN } from './order-write-statements.js';
import { OrderRow } from './order.row.js';

/** What orders bring to the database. */
export const ORDER_RESOURCE = {
  rows: [OrderRow],
  migrations: [CreateOrders1795176000000],
  reads: ORDER_READS,
  writes: [TAKE_TURN, PLACE],
};
