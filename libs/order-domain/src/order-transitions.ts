import { type PetReservation, type PetStatus, stringEnum, titled } from '@petstore/pet-domain';
import type { OrderTimeLimit } from './order-policy.js';

/** Status of an adoption order, in the order of its life. */
export const OrderStatus = titled(
  'OrderStatus',
  stringEnum('placed', 'approved', 'delivered', 'returned', 'cancelled', 'declined', 'expired'),
);

export type OrderStatus = (typeof OrderStatus.ALL)[number];

/** What can be done with an order. `place` makes one; `expire` is the clock's. */
export type OrderAction = 'place' | 'approve' | 'deliver' | 'cancel' | 'decline' | 'expire' | 'return';

/** Who may do it: the key that placed the order, shelter staff (`orders:manage`), or the service itself. */
export type OrderActor = 'owner' | 'staff' | 'service';

/** One line of the life of an order. */
export interface OrderTransition {
  readonly action: OrderAction;
  /** `undefined` for an order that does not exist yet. */
  readonly from: OrderStatus | undefined;
  readonly to: OrderStatus;
  readonly actors: readonly OrderActor[];
  /** Change of the animal's status; `undefined` for none. */
  readonly pet?: { readonly from: PetStatus; readonly to: PetStatus };
  /** The time limit that begins with it. Every transition ends the one before. */
  readonly limit?: OrderTimeLimit;
}

const RESERVED = { from: 'available', to: 'pending' } as const;
const RELEASED = { from: 'pending', to: 'available' } as const;

/**
 * The one table of the life of an order (docs/contract.md, "Orders"). The code and the OpenAPI document are made from
 * it, and tests compare the contract's table and picture. Everything else is refused.
 */
export const ORDER_TRANSITIONS: readonly OrderTransition[] = [
  { action: 'place', from: undefined, to: 'placed', actors: ['owner'], pet: RESERVED, limit: 'reservation' },
  { action: 'approve', from: 'placed', to: 'approved', actors: ['staff'], limit: 'pickup' },
  {
    action: 'deliver',
    from: 'approved',
    to: 'delivered',
    actors: ['staff'],
    pet: { from: 'pending', to: 'sold' },
  },
  { action: 'cancel', from: 'placed', to: 'cancelled', actors: ['owner', 'staff'], pet: RELEASED },
  { action: 'cancel', from: 'approved', to: 'cancelled', actors: ['owner', 'staff'], pet: RELEASED },
  { action: 'decline', from: 'placed', to: 'declined', actors: ['staff'], pet: RELEASED },
  { action: 'decline', from: 'approved', to: 'declined', actors: ['staff'], pet: RELEASED },
  { action: 'expire', from: 'placed', to: 'expired', actors: ['service'], pet: RELEASED },
  { action: 'expire', from: 'approved', to: 'expired', actors: ['service'], pet: RELEASED },
  {
    action: 'return',
    from: 'delivered',
    to: 'returned',
    actors: ['staff'],
    pet: { from: 'sold', to: 'available' },
  },
];

/** How an order begins. */
export const PLACE: OrderTransition = firstOf('place');

/** What can be done with an order of this status, in the order of the table. */
export function transitionsFrom(status: OrderStatus): readonly OrderTransition[] {
  return ORDER_TRANSITIONS.filter(({ from }) => from === status);
}

/** The status that an action leads to, whatever it starts from. */
export function targetOf(action: OrderAction): OrderStatus {
  return firstOf(action).to;
}

function firstOf(action: OrderAction): OrderTransition {
  const found = ORDER_TRANSITIONS.find((transition) => transition.action === action);
  if (found === undefined) throw new Error(`The table of orders has no action ${action}.`);
  return found;
}

/** Statuses that end by the clock: an open order reserves its animal. */
export const OPEN_STATUSES: readonly OrderStatus[] = OrderStatus.ALL.filter((status) =>
  transitionsFrom(status).some(({ action }) => action === 'expire'),
);

/** Statuses in which an order decides the status of its animal. */
export const ACTIVE_STATUSES: readonly OrderStatus[] = OrderStatus.ALL.filter(
  (status) => transitionsFrom(status).length > 0,
);

/** Reservation of the animal by an active order of this status: the animal is sold once the order is delivered. */
export function reservationBy(status: OrderStatus): PetReservation {
  return ORDER_TRANSITIONS.some(({ to, pet }) => to === status && pet?.to === 'sold')
    ? 'adopted'
    : 'reserved';
}
