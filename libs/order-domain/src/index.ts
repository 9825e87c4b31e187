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
export { orderEvent } from './order-event.js';
export { OrderId } from './order-id.js';
export type { OrderPage, OrderPageRequest } from './order-page.js';
export { OrderPolicy } from './order-policy.js';
export { OrderStatus } from './order-status.js';
export {
  ACTIVE_STATUSES,
  OPEN_STATUSES,
  ORDER_TRANSITIONS,
  type OrderAction,
  type OrderTransition,
  PLACE,
  reservationBy,
  targetOf,
} from './order-transitions.js';
export { orderVisibility, type OrderVisibility } from './order-visibility.js';
