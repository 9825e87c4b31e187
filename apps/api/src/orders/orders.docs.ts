import {
  InvalidOrderTransitionError,
  ORDER_FIELDS,
  ORDER_TRANSITIONS,
  type OrderAction,
  OrderLimitReachedError,
  OrderStatus,
  PetNotAvailableError,
  targetOf,
} from '@petstore/order-domain';
import { described, PageLimit } from '@petstore/pet-domain';
import { STORE_TAG } from '../pets/inventory.docs.js';
import {
  created,
  defineOperations,
  ok,
  type OperationOptions,
  type RequestBody,
  type ResourceOptions,
} from '../operations/operation.js';
import { pathId } from '../operations/path-id.js';
import { arrayOf, componentsOf, exampleOf } from '../operations/members.js';
import { NewOrderDto, OrderDto, OrderReasonDto } from './order.dto.js';
import { defineErrors } from '@petstore/http-server';

export const ORDER_ERRORS = defineErrors({
  order_not_found: {
    status: 404,
    message: 'No order has this id.',
    when: 'No order that the key can see has the id in the path.',
  },
  pet_not_available: {
    status: 409,
    refusal: PetNotAvailableError,
    message: 'The animal is not available.',
    when: 'The animal of a new order does not exist, or is pending or sold.',
  },
  invalid_order_transition: {
    status: 409,
    refusal: InvalidOrderTransitionError,
    message: 'The state of the order does not allow this.',
    when: 'The state of the order does not allow the action, or its time is up.',
  },
  order_limit_reached: {
    status: 409,
    refusal: OrderLimitReachedError,
    message: 'The key has as many open orders as it may.',
    when: 'The key has as many orders placed or approved as it may.',
  },
});

export const ORDERS: ResourceOptions = {
  tag: STORE_TAG,
  models: [OrderDto],
  schemas: {
    ...componentsOf(
      described(
        OrderStatus,
        'State of an order: `placed` and `approved` reserve the animal until `expiresAt`, `delivered` is the adoption, all others are final.',
      ),
    ),
    Orders: arrayOf('Order', PageLimit.MAX, 'One page of orders, newest first.'),
  },
};

const ORDER_ID = pathId('orderId', 'Id of the order.', 1);

/** What an order has in some states, for examples. */
interface StateExample {
  readonly reason?: string;
  readonly updatedAt?: string;
  readonly expiresAt?: string;
}

function orderExample(
  status: OrderStatus,
  { reason, updatedAt = '2026-11-25T10:15:00.000Z', expiresAt }: StateExample,
): object {
  return exampleOf(ORDER_FIELDS, { reference: 'site-4711', status, reason, updatedAt, expiresAt });
}

const PLACED = orderExample('placed', {
  updatedAt: '2026-11-21T19:12:07.123Z',
  expiresAt: '2026-11-24T19:12:07.123Z',
});

/** The body of an action that takes a reason. */
const REASON: RequestBody = {
  dto: OrderReasonDto,
  description: 'Why; may be left out, and then no `Content-Type` is needed. Unknown members are ignored.',
  examples: { reason: { summary: 'With a reason.', value: { reason: 'The family has moved away.' } } },
};

/**
 * The operation of an action on an order. Scope, states and effect follow from the table of transitions.
 *
 * @param after what an order has then, for the example; an action that takes a reason has one there
 */
function orderAction(
  action: OrderAction,
  summary: string,
  after: StateExample = {},
): Omit<OperationOptions, 'id'> {
  const lines = ORDER_TRANSITIONS.filter((transition) => transition.action === action);
  const isForStaff = lines.every(({ actors }) => !actors.includes('owner'));
  const from = lines.map((line) => `\`${line.from ?? ''}\``).join(' or ');
  const to = targetOf(action);
  const pet = lines.find((line) => line.pet !== undefined)?.pet;
  const effect = pet === undefined ? '' : ` The animal becomes \`${pet.to}\`.`;
  return {
    summary,
    description: `Takes an order from ${from} to \`${to}\`.${effect} To repeat the request is safe: an order that is \`${to}\` already is returned as it is.`,
    since: '1.0.0',
    scope: isForStaff ? 'orders:manage' : 'orders:write',
    params: [ORDER_ID],
    ...(after.reason !== undefined && { body: REASON }),
    success: ok('The order after the action.', 'Order', orderExample(to, after)),
    errors: [ORDER_ERRORS.order_not_found, ORDER_ERRORS.invalid_order_transition],
  };
}

export const ORDER_OPERATIONS = defineOperations({
  listOrders: {
    summary: 'List orders',
    description:
      'Returns a paginated list of orders, newest first: those that were placed with the same key, or those of all keys with the scope `orders:manage`. While older ones follow, the response carries a `Link` header with `rel="next"`.',
    since: '1.0.0',
    scope: 'orders:read',
    isPaged: true,
    isConditional: true,
    success: ok('One page of orders.', 'Orders', [PLACED]),
  },
  placeOrder: {
    summary: 'Place an order',
    description:
      'Applies for an available animal and reserves it at once: its status becomes `pending`. Of several requests for one animal exactly one succeeds. The order expires at `expiresAt` unless it is approved. With an `Idempotency-Key` the request may be sent again without harm.',
    since: '1.0.0',
    scope: 'orders:write',
    isIdempotent: true,
    body: {
      dto: NewOrderDto,
      description: 'The animal that is applied for; unknown members are ignored.',
      examples: { newOrder: { summary: 'An application.', value: { petId: 1, reference: 'site-4711' } } },
    },
    success: created('The order has been placed; the animal is reserved.', 'Order', PLACED),
    errors: [ORDER_ERRORS.pet_not_available, ORDER_ERRORS.order_limit_reached],
  },
  getOrder: {
    summary: 'Get an order',
    description:
      'Returns a single order. Without the scope `orders:manage` an order that was placed with another key is 404.',
    since: '1.0.0',
    scope: 'orders:read',
    params: [ORDER_ID],
    isConditional: true,
    success: ok('The order.', 'Order', PLACED),
    errors: [ORDER_ERRORS.order_not_found],
  },
  cancelOrder: orderAction('cancel', 'Cancel an order', { reason: 'The family has moved away.' }),
  approveOrder: orderAction('approve', 'Approve an order', {
    updatedAt: '2026-11-22T08:30:00.000Z',
    expiresAt: '2026-12-06T08:30:00.000Z',
  }),
  deliverOrder: orderAction('deliver', 'Hand the animal over'),
  declineOrder: orderAction('decline', 'Decline an order', { reason: 'The flat is too small.' }),
  returnOrder: orderAction('return', 'Take the animal back', { reason: 'The child is allergic.' }),
});
