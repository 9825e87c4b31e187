import { ORDER_TRANSITIONS, type OrderAction, OrderStatus, targetOf } from '@petstore/order-domain';
import { PageLimit } from '@petstore/pet-domain';
import { STORE_TAG } from '../inventory/inventory.docs.js';
import type { OperationOptions, Parameter, RequestBody, ResourceOptions } from '../operations/operation.js';
import { arrayOf, INT64_SCHEMA } from '../operations/schemas.js';
import { OrderDto, OrderReasonDto } from './order.dto.js';
import { ORDER_ERRORS } from './order.errors.js';

export const ORDERS: ResourceOptions = {
  tag: STORE_TAG,
  models: [OrderDto],
  schemas: {
    OrderStatus: {
      type: 'string',
      enum: [...OrderStatus.ALL],
      description:
        'State of an order: `placed` and `approved` reserve the animal until `expiresAt`, `delivered` is the adoption, all others are final.',
    },
    Orders: arrayOf('Order', PageLimit.MAX, 'One page of orders, newest first.'),
  },
};

export const ORDER_ID: Parameter = {
  name: 'orderId',
  description: 'Id of the order.',
  schema: INT64_SCHEMA,
  example: 1,
};

/** The members of an order in every state. */
const ORDER = {
  id: 91,
  petId: 42,
  reference: 'site-4711',
  placedBy: 'key_Wz6Oq1rXc8TqLd0A',
  placedAt: '2026-11-21T19:12:07.123Z',
};
const LATER = { updatedAt: '2026-11-25T10:15:00.000Z' };

export const PLACED = {
  ...ORDER,
  status: 'placed',
  updatedAt: '2026-11-21T19:12:07.123Z',
  expiresAt: '2026-11-24T19:12:07.123Z',
};
export const APPROVED = {
  ...ORDER,
  status: 'approved',
  updatedAt: '2026-11-22T08:30:00.000Z',
  expiresAt: '2026-12-06T08:30:00.000Z',
};
export const DELIVERED = { ...ORDER, status: 'delivered', ...LATER };
export const CANCELLED = {
  ...ORDER,
  status: 'cancelled',
  reason: 'The family has moved away.',
  ...LATER,
};
export const DECLINED = { ...ORDER, status: 'declined', reason: 'The flat is too small.', ...LATER };
export const RETURNED = { ...ORDER, status: 'returned', reason: 'The child is allergic.', ...LATER };

/** The body of an action that takes a reason. */
export const REASON: RequestBody = {
  dto: OrderReasonDto,
  description: 'Why; may be left out, and then no `Content-Type` is needed. Unknown members are ignored.',
  examples: { reason: { summary: 'With a reason.', value: { reason: 'The family has moved away.' } } },
};

/**
 * The operation that carries out an action on an order; who may, and what becomes of order and animal, is in the table of
 * transitions.
 *
 * @param example an order afterwards
 */
export function orderAction(
  action: OrderAction,
  summary: string,
  example: object,
  options: Pick<OperationOptions, 'body'> = {},
): OperationOptions {
  const lines = ORDER_TRANSITIONS.filter((transition) => transition.action === action);
  const isForManagers = lines.every(({ actors }) => !actors.includes('owner'));
  const from = lines.map((line) => `\`${line.from ?? ''}\``).join(' or ');
  const to = targetOf(action);
  const pet = lines.find((line) => line.pet !== undefined)?.pet;
  const effect = pet === undefined ? '' : ` The animal becomes \`${pet.to}\`.`;
  return {
    ...options,
    id: `${action}Order`,
    summary,
    description: `Takes an order from ${from} to \`${to}\`.${effect} To repeat the request is safe: an order that is \`${to}\` already is returned as it is.`,
    since: '1.1.0',
    scope: isForManagers ? 'orders:manage' : 'orders:write',
    params: [ORDER_ID],
    success: { status: 200, description: 'The order after the action.', schema: 'Order', example },
    errors: [ORDER_ERRORS.order_not_found, ORDER_ERRORS.invalid_order_transition],
  };
}
