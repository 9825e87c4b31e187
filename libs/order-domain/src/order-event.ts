import { type Order, orderJson } from './order.js';
import type { OrderStatus } from './order-transitions.js';

/** What can happen to an order: the status that it has come to. */
export type OrderEventType = `order.${OrderStatus}`;

/** An event of an order that has no position yet. */
export interface OrderEvent {
  readonly type: OrderEventType;
  /** The member `data` of the event as JSON text. */
  readonly data: string;
  /** Id of the key that placed the order: the only one, beside those of managers, that sees the event. */
  readonly audience: string;
  readonly happenedAt: Date;
}

/** The event of the change that has brought an order to its status. */
export function orderEvent(order: Order): OrderEvent {
  return {
    type: `order.${order.status}`,
    data: `{"order":${orderJson(order)}}`,
    audience: order.placedBy,
    happenedAt: order.updatedAt,
  };
}
