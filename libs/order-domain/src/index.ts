export {
  type NewOrder,
  Order,
  ORDER_FIELDS,
  orderJson,
  type PlacementFacts,
  UNSAVED_ORDER_FIELDS,
  type UnsavedOrder,
} from './order.js';
export { InvalidOrderTransitionError, OrderLimitReachedError, PetNotAvailableError } from './order.errors.js';
export { type OrderEvent, orderEvent, type OrderEventType } from './order-event.js';
export { OrderId } from './order-id.js';
export type { OrderPage, OrderPageRequest } from './order-page.js';
export { OrderPolicy, type OrderTimeLimit } from './order-policy.js';
export { OrderStatus } from './order-status.js';
export {
  ACTIVE_STATUSES,
  OPEN_STATUSES,
  ORDER_TRANSITIONS,
  type OrderAction,
  type OrderActor,
  type OrderTransition,
  PLACE,
  reservationBy,
  targetOf,
  transitionsFrom,
} from './order-transitions.js';
export { orderVisibility, type OrderVisibility } from './order-visibility.js';
