import type { OrderTransition } from './order-transitions.js';

/** What can happen to an order: the state that it has come to. */
export type OrderEventType = `order.${OrderTransition['to']}`;
