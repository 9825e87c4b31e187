import { describe, expect, it } from '@jest/globals';
import type { PetStatus } from '@petstore/pet-domain';
import { decideOrder, InvalidOrderTransitionError } from './order-decision.js';
import { OrderStatus } from './order-status.js';
import {
  ACTIVE_STATUSES,
  checkedTransitions,
  OPEN_STATUSES,
  ORDER_TRANSITIONS,
  type OrderAction,
  type OrderTransition,
  targetOf,
  transitionsFrom,
} from './order-transitions.js';
import type { Order } from './order.js';

const ACTIONS = ['approve', 'deliver', 'cancel', 'decline', 'expire', 'return'] as const;

function order(status: OrderStatus, isOverdue = false): Order {
  return { id: '91', petId: '42', status, placedBy: 'key_a', isOverdue } as Order;
}

/** The state that an action leads to, `=` for none, or why it is refused. */
function outcome(status: OrderStatus, action: OrderAction, isOverdue = false): string {
  try {
    return decideOrder(order(status, isOverdue), action)?.to ?? '=';
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidOrderTransitionError);
    return (error as Error).message;
  }
}

const PLACED = 'A placed order can only be approved or cancelled or declined.';
const APPROVED = 'An approved order can only be delivered or cancelled or declined.';
const DELIVERED = 'A delivered order can only be returned.';
const final = (status: string): string => `${/^[aeiou]/.test(status) ? 'An' : 'A'} ${status} order is final.`;

describe('what becomes of an order', () => {
  // One row a state; columns: approve, deliver, cancel, decline, expire, return.
  it.each([
    ['placed', 'approved', PLACED, 'cancelled', 'declined', 'expired', PLACED],
    ['approved', '=', 'delivered', 'cancelled', 'declined', 'expired', APPROVED],
    ['delivered', DELIVERED, '=', DELIVERED, DELIVERED, DELIVERED, 'returned'],
    ...(['returned', 'cancelled', 'declined', 'expired'] as const).map((status) => {
      const repeated = { returned: 5, cancelled: 2, declined: 3, expired: 4 }[status];
      return [status, ...ACTIONS.map((_, at) => (at === repeated ? '=' : final(status)))];
    }),
  ] as [OrderStatus, ...string[]][])('that is %s', (status, ...wanted) => {
    expect(ACTIONS.map((action) => outcome(status, action))).toEqual(wanted);
  });

  it.each(OPEN_STATUSES)('after its time, when it is %s: nothing but that it expires', (status) => {
    const repeated = ACTIONS.filter((action) => targetOf(action) === status);
    for (const action of ACTIONS) {
      const wanted = action === 'expire' ? 'expired' : 'The time of this order is up: it can only expire.';
      expect(outcome(status, action, true)).toBe(repeated.includes(action) ? '=' : wanted);
    }
  });
});

describe('the table of orders', () => {
  it('says which orders are open and which hold an animal', () => {
    expect(OPEN_STATUSES).toEqual(['placed', 'approved']);
    expect(ACTIVE_STATUSES).toEqual(['placed', 'approved', 'delivered']);
  });

  it('moves animals along: what a line leaves is what the next begins with', () => {
    const held: Partial<Record<OrderStatus, PetStatus>> = {
      placed: 'pending',
      approved: 'pending',
      delivered: 'sold',
    };
    for (const { from, to, pet } of ORDER_TRANSITIONS) {
      expect(pet?.from).toBe(pet === undefined ? undefined : from === undefined ? 'available' : held[from]);
      if (pet !== undefined) expect(pet.to).toBe(held[to] ?? 'available');
      else expect(held[to]).toBe(from && held[from]);
    }
  });

  it('ends each time limit with the state that it belongs to', () => {
    for (const { to, limit } of ORDER_TRANSITIONS)
      expect(limit !== undefined).toBe(OPEN_STATUSES.includes(to));
  });

  it('lets only the clock expire orders, and nobody else than the desk undo an adoption', () => {
    const actorsOf = (action: OrderAction): unknown => [
      ...new Set(ORDER_TRANSITIONS.filter((line) => line.action === action).flatMap(({ actors }) => actors)),
    ];
    expect(actorsOf('expire')).toEqual(['service']);
    expect(actorsOf('cancel')).toEqual(['owner', 'desk']);
    for (const action of ['approve', 'deliver', 'decline', 'return'] as const)
      expect(actorsOf(action)).toEqual(['desk']);
    expect(transitionsFrom('delivered').map(({ action }) => action)).toEqual(['return']);
  });

  const without = (...actions: OrderAction[]): OrderTransition[] =>
    ORDER_TRANSITIONS.filter(({ action }) => !actions.includes(action));
  const [place] = ORDER_TRANSITIONS as readonly [OrderTransition];

  it.each([
    ['a state that nothing leads to', without('decline'), 'nothing becomes declined'],
    ['an action without anybody', [...without('place'), { ...place, actors: [] }], 'nobody may place'],
    [
      'an action to two states',
      [...ORDER_TRANSITIONS, { ...place, from: 'placed', to: 'approved' }],
      'place leads to two',
    ],
    ['a line twice', [...ORDER_TRANSITIONS, place], 'place from nothing twice'],
  ] as [string, OrderTransition[], string][])('is refused with %s', (_what, table, message) => {
    expect(() => checkedTransitions(table)).toThrow(message);
  });
});

describe('a word for a state', () => {
  it('is one of the table, letter for letter', () => {
    expect(OrderStatus.ALL.map((text) => OrderStatus.parse(text))).toEqual(OrderStatus.ALL);
    for (const text of ['', 'Placed', ' placed', 'toString', '__proto__', 'placed\n'])
      expect(OrderStatus.parse(text)).toBeUndefined();
  });
});
