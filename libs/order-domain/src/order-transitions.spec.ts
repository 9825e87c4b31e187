import { describe, expect, it } from '@jest/globals';
import type { PetStatus } from '@petstore/pet-domain';
import {
  ACTIVE_STATUSES,
  checkedTransitions,
  OPEN_STATUSES,
  ORDER_TRANSITIONS,
  type OrderAction,
  OrderStatus,
  type OrderTransition,
  transitionsFrom,
} from './order-transitions.js';

describe('the table of orders', () => {
  it('says which orders are open and which decide the status of a pet', () => {
    expect(OPEN_STATUSES).toEqual(['placed', 'approved']);
    expect(ACTIVE_STATUSES).toEqual(['placed', 'approved', 'delivered']);
  });

  it('moves pets along: each line begins with what the one before leaves', () => {
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

  it('gives a time limit to open orders alone', () => {
    for (const { to, limit } of ORDER_TRANSITIONS)
      expect(limit !== undefined).toBe(OPEN_STATUSES.includes(to));
  });

  it('lets only the clock expire orders, and only managers undo an adoption', () => {
    const actorsOf = (action: OrderAction): unknown => [
      ...new Set(ORDER_TRANSITIONS.filter((line) => line.action === action).flatMap(({ actors }) => actors)),
    ];
    expect(actorsOf('expire')).toEqual(['service']);
    expect(actorsOf('cancel')).toEqual(['owner', 'manager']);
    for (const action of ['approve', 'deliver', 'decline', 'return'] as const)
      expect(actorsOf(action)).toEqual(['manager']);
    expect(transitionsFrom('delivered').map(({ action }) => action)).toEqual(['return']);
  });

  const without = (...actions: OrderAction[]): OrderTransition[] =>
    ORDER_TRANSITIONS.filter(({ action }) => !actions.includes(action));
  const [place] = ORDER_TRANSITIONS as readonly [OrderTransition];

  it.each([
    ['a status that nothing leads to', without('decline'), 'nothing becomes declined'],
    ['an action of no actor', [...without('place'), { ...place, actors: [] }], 'no one may place'],
    [
      'an action to two statuses',
      [...ORDER_TRANSITIONS, { ...place, from: 'placed', to: 'approved' }],
      'place leads to two statuses',
    ],
    ['a line twice', [...ORDER_TRANSITIONS, place], 'place from nothing twice'],
  ] as [string, OrderTransition[], string][])('is refused with %s', (_what, table, message) => {
    expect(() => checkedTransitions(table)).toThrow(message);
  });
});

describe('a word for a status', () => {
  it('is one of the table, letter for letter', () => {
    expect(OrderStatus.ALL.map((text) => OrderStatus.parse(text))).toEqual(OrderStatus.ALL);
    for (const text of ['', 'Placed', ' placed', 'toString', '__proto__', 'placed\n'])
      expect(OrderStatus.parse(text)).toBeUndefined();
  });
});
