import { type OrderId, OrderStatus } from '@petstore/order-domain';
import { CursorFormat, numbered } from '../lists/cursor.js';

/** Positions in lists of orders; `filter` is the pet. */
export const ORDER_CURSOR = new CursorFormat<OrderId, OrderStatus>('o_', numbered(OrderStatus.ALL));
