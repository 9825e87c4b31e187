import { describe, expect, it } from '@jest/globals';
import type { FreeText, PetId, PetStatus } from '@petstore/pet-domain';
import { Order, orderEvent, type OrderId, orderJson } from './order.js';
import { InvalidOrderTransitionError } from './order.errors.js';
import { OrderPolicy } from './order-policy.js';
import type { OrderStatus } from './order-transitions.js';
import { OPEN_STATUSES, targetOf } from './order-transitions.js';
import { orderVisibility } from './order-list.js';

const ACTIONS = ['approve', 'deliver', 'cancel', 'decline', 'expire', 'return'] as const;
const POLICY = new OrderPolicy({ reservation: 1.5, pickup: 48 }, 3);
const BEFORE = new Date('2026-11-21T19:12:07.123Z');
const NOW = new Date('2026-11-22T08:30:00.000Z');
const WANTED = { petId: '9223372036854775807' as PetId, reference: 'site "4711" \\ 🐕' as FreeText };

/** @param expiresAt of one that is open */
function orderOf(status: OrderStatus, expiresAt: Date): Order {
  return new Order({
    id: '91' as OrderId,
    ...WANTED,
    status,
    placedBy: 'key_a',
    placedAt: BEFORE,
    updatedAt: BEFORE,
    ...(OPEN_STATUSES.includes(status) && { expiresAt }),
  });
}

/** The status that an action leads to, `=` when it changes nothing, or why it is refused. */
function outcome(
  status: OrderStatus,
  action: (typeof ACTIONS)[number],
  expiresAt = new Date(NOW.getTime() + 1),
): string {
  const order = orderOf(status, expiresAt);
  const before = orderJson(order);
  try {
    const transition = order.perform(action, NOW, POLICY);
    if (transition === undefined) expect(orderJson(order)).toBe(before);
    else expect(transition.to).toBe(order.status);
    return transition?.to ?? '=';
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidOrderTransitionError);
    expect(orderJson(order)).toBe(before);
    return (error as Error).message;
  }
}

const PLACED = 'A placed order can only be approved or cancelled or declined.';
const APPROVED = 'An approved order can only be delivered or cancelled or declined.';
const DELIVERED = 'A delivered order can only be returned.';
const final = (status: string): string => `${/^[aeiou]/.test(status) ? 'An' : 'A'} ${status} order is final.`;

describe('an action on an order', () => {
  // One row a status; columns: approve, deliver, cancel, decline, expire, return.
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

  it.each(OPEN_STATUSES)(
    'that is %s is refused from its last moment on, unless it is expiry or repeated',
    (status) => {
      for (const action of ACTIONS) {
        const wanted = action === 'expire' ? 'expired' : 'The time of this order is up: it can only expire.';
        expect(outcome(status, action, NOW)).toBe(targetOf(action) === status ? '=' : wanted);
      }
    },
  );

  it('sets the times, and keeps a reason', () => {
    const order = orderOf('placed', new Date(NOW.getTime() + 1));
    order.perform('approve', NOW, POLICY);
    expect(order).toMatchObject({ updatedAt: NOW, expiresAt: new Date('2026-11-24T08:30:00.000Z') });
    order.perform('decline', NOW, POLICY, 'too small' as FreeText);
    expect(order).toMatchObject({ status: 'declined', reason: 'too small', expiresAt: undefined });
  });
});

describe('placing an order', () => {
  it('reserves for as long as the policy says', () => {
    const placed = Order.place(WANTED, 'key_a', { petStatus: 'available', openOrders: 2 }, BEFORE, POLICY);
    const order = new Order({ id: '91' as OrderId, ...placed });
    const json =
      '{"id":91,"petId":9223372036854775807,"status":"placed","reference":"site \\"4711\\" \\\\ 🐕","placedBy":"key_a",' +
      '"placedAt":"2026-11-21T19:12:07.123Z","updatedAt":"2026-11-21T19:12:07.123Z","expiresAt":"2026-11-21T20:42:07.123Z"}';
    expect(orderJson(order)).toBe(json);
    expect(orderEvent(order)).toEqual({
      type: 'order.placed',
      data: `{"order":${json}}`,
      audience: 'key_a',
      happenedAt: BEFORE,
    });
  });

  it.each([
    ['pending', 2, 'The animal is pending.'],
    ['sold', 0, 'The animal is sold.'],
    [undefined, 0, 'No animal has this id.'],
    ['available', 3, 'A key may have 3 open orders. Wait until one of them ends.'],
    // The limit comes first.
    ['sold', 3, 'A key may have 3 open orders. Wait until one of them ends.'],
  ] as [PetStatus | undefined, number, string][])(
    'is refused for %p and %p open orders',
    (petStatus, openOrders, why) => {
      expect(() => Order.place(WANTED, 'key_a', { petStatus, openOrders }, NOW, POLICY)).toThrow(why);
    },
  );
});

it('a key sees its own orders, with orders:manage all', () => {
  const keyId = 'key_a';
  expect(orderVisibility({ keyId, scopes: new Set(['orders:read', 'orders:write']) })).toEqual({ keyId });
  expect(orderVisibility({ keyId, scopes: new Set(['orders:manage']) })).toBe('all');
});
