import { describe, expect, it } from '@jest/globals';
import type { PetStatus } from '@petstore/pet-domain';
import {
  ACTIVE_STATUSES,
  OPEN_STATUSES,
  ORDER_TRANSITIONS,
  type OrderAction,
  OrderStatus,
  targetOf,
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

  it('lets only the clock expire orders, and only staff undoes an adoption', () => {
    const actorsOf = (action: OrderAction): unknown => [
      ...new Set(ORDER_TRANSITIONS.filter((line) => line.action === action).flatMap(({ actors }) => actors)),
    ];
    expect(actorsOf('expire')).toEqual(['service']);
    expect(actorsOf('cancel')).toEqual(['owner', 'staff']);
    for (const action of ['approve', 'deliver', 'decline', 'return'] as const)
      expect(actorsOf(action)).toEqual(['staff']);
    expect(transitionsFrom('delivered').map(({ action }) => action)).toEqual(['return']);
  });

  it('leads to every status, and each action from a status to one', () => {
    expect([...new Set(ORDER_TRANSITIONS.map(({ to }) => to))].sort()).toEqual([...OrderStatus.ALL].sort());
    const steps = ORDER_TRANSITIONS.map(({ action, from }) => `${action} ${from ?? ''}`);
    expect(new Set(steps).size).toBe(steps.length);
    for (const { action, to } of ORDER_TRANSITIONS) expect(targetOf(action)).toBe(to);
  });
});

describe('a word for a status', () => {
  it('is one of the table, letter for letter', () => {
    expect(OrderStatus.ALL.map((text) => OrderStatus.parse(text))).toEqual(OrderStatus.ALL);
    for (const text of ['', 'Placed', ' placed', 'toString', '__proto__', 'placed\n'])
      expect(OrderStatus.parse(text)).toBeUndefined();
  });
});
