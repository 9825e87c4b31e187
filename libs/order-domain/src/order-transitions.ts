import type { PetStatus } from '@petstore/pet-domain';
import { OrderStatus } from './order-status.js';

/** What somebody can do with an order. `place` makes one; `expire` is the clock's. */
export type OrderAction = 'place' | 'approve' | 'deliver' | 'cancel' | 'decline' | 'expire' | 'return';

/** Who may do it: whoever placed the order, the shelter's desk (`orders:manage`), or the service itself. */
export type OrderActor = 'owner' | 'desk' | 'service';

/** One line of the life of an order. */
export interface OrderTransition {
  readonly action: OrderAction;
  /** `undefined` for an order that does not exist yet. */
  readonly from: OrderStatus | undefined;
  readonly to: OrderStatus;
  readonly actors: readonly OrderActor[];
  /** What becomes of the animal; `undefined` for nothing. */
  readonly pet?: { readonly from: PetStatus; readonly to: PetStatus };
  /** Which time limit begins with it; the others end the one that was. */
  readonly limit?: 'hold' | 'pickup';
}

const RESERVED = { from: 'available', to: 'pending' } as const;
const RELEASED = { from: 'pending', to: 'available' } as const;

/**
 * The one table of the life of an order (docs/contract.md, "Orders"). The code, the document, the guide's table and its
 * picture are made from it. Everything else is refused.
 */
export const ORDER_TRANSITIONS: readonly OrderTransition[] = checkedTransitions([
  { action: 'place', from: undefined, to: 'placed', actors: ['owner'], pet: RESERVED, limit: 'hold' },
  { action: 'approve', from: 'placed', to: 'approved', actors: ['desk'], limit: 'pickup' },
  {
    action: 'deliver',
    from: 'approved',
    to: 'delivered',
    actors: ['desk'],
    pet: { from: 'pending', to: 'sold' },
  },
  { action: 'cancel', from: 'placed', to: 'cancelled', actors: ['owner', 'desk'], pet: RELEASED },
  { action: 'cancel', from: 'approved', to: 'cancelled', actors: ['owner', 'desk'], pet: RELEASED },
  { action: 'decline', from: 'placed', to: 'declined', actors: ['desk'], pet: RELEASED },
  { action: 'decline', from: 'approved', to: 'declined', actors: ['desk'], pet: RELEASED },
  { action: 'expire', from: 'placed', to: 'expired', actors: ['service'], pet: RELEASED },
  { action: 'expire', from: 'approved', to: 'expired', actors: ['service'], pet: RELEASED },
  {
    action: 'return',
    from: 'delivered',
    to: 'returned',
    actors: ['desk'],
    pet: { from: 'sold', to: 'available' },
  },
]);

/** What can be done with an order of this state, in the order of the table. */
export function transitionsFrom(status: OrderStatus): readonly OrderTransition[] {
  return ORDER_TRANSITIONS.filter(({ from }) => from === status);
}

/** The state that an action leads to, whatever it starts from. */
export function targetOf(action: OrderAction): OrderStatus {
  const found = ORDER_TRANSITIONS.find((transition) => transition.action === action);
  if (found === undefined) throw new Error(`No order is ever to ${action}.`);
  return found.to;
}

/** States that end by the clock: with the first of them an animal is reserved. */
export const OPEN_STATUSES: readonly OrderStatus[] = OrderStatus.ALL.filter((status) =>
  transitionsFrom(status).some(({ action }) => action === 'expire'),
);

/** States in which an order decides the status of its animal. */
export const ACTIVE_STATUSES: readonly OrderStatus[] = OrderStatus.ALL.filter(
  (status) => transitionsFrom(status).length > 0,
);

/**
 * @throws {Error} when a state cannot be reached, an action leads to two states, or two lines say what becomes of one
 * state by one action
 */
export function checkedTransitions(table: readonly OrderTransition[]): readonly OrderTransition[] {
  for (const status of OrderStatus.ALL) {
    if (!table.some(({ to }) => to === status))
      throw new Error(`By the table of orders nothing becomes ${status}.`);
  }
  for (const [index, { action, from, to, actors }] of table.entries()) {
    if (actors.length === 0) throw new Error(`By the table of orders nobody may ${action}.`);
    for (const other of table.slice(index + 1)) {
      if (other.action !== action) continue;
      if (other.to !== to) throw new Error(`By the table of orders to ${action} leads to two states.`);
      if (other.from === from)
        throw new Error(`The table of orders has ${action} from ${from ?? 'nothing'} twice.`);
    }
  }
  return table;
}
