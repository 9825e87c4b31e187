export { decideOrder, InvalidOrderTransitionError } from './order-decision.js';
export type { OrderEventType } from './order-event.js';
export { OrderId } from './order-id.js';
export { OrderStatus } from './order-status.js';
export {
  OrderLimitReachedError,
  type OrderPage,
  type OrderPageRequest,
  type OrderReach,
  type OrderRequest,
  type OrderStore,
  PetNotAvailableError,
  type StoredOrder,
} from './order-store.js';
export {
  ACTIVE_STATUSES,
  OPEN_STATUSES,
  ORDER_TRANSITIONS,
  targetOf,
  type OrderAction,
  type OrderActor,
  type OrderTransition,
  transitionsFrom,
} from './order-transitions.js';
export type { NewOrder, Order } from './order.js';
