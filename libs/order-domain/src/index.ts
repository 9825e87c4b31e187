export {
  type NewOrder,
  Order,
  ORDER_EVENTS,
  ORDER_FIELDS,
  orderEvent,
  OrderId,
  orderJson,
  type PlacementFacts,
  UNSAVED_ORDER_FIELDS,
  type UnsavedOrder,
} from './order.js';
export { InvalidOrderTransitionError, OrderLimitReachedError, PetNotAvailableError } from './order.errors.js';
export { type OrderPageRequest, orderVisibility, type OrderVisibility } from './order-list.js';
export { OrderPolicy } from './order-policy.js';
export {
  ACTIVE_STATUSES,
  OPEN_STATUSES,
  ORDER_TRANSITIONS,
  type OrderAction,
  OrderStatus,
  type OrderTransition,
  PLACE,
  reservationBy,
  targetOf,
} from './order-transitions.js';
