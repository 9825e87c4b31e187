import { HTTP_ERRORS, HTTP_HEADERS, type SchemaObject } from '@petstore/http-kernel';
import { OrderStatus } from '@petstore/order-domain';
import { PageLimit } from '@petstore/pet-domain';
import { IDEMPOTENCY_ERRORS, IDEMPOTENCY_HEADERS } from '../idempotency/idempotency.errors.js';
import { IDEMPOTENCY_KEY } from '../idempotency/idempotency-key.decorator.js';
import { STORE_TAG } from '../inventory/inventory.operations.js';
import { LIST_ERRORS } from '../lists/list.errors.js';
import { CONTRACT_HEADERS } from '../operations/contract.headers.js';
import type { Resource } from '../operations/contract-controller.decorator.js';
import { INT64_SCHEMA } from '../operations/int64.schema.js';
import type { OperationDeclaration, Parameter } from '../operations/operation.js';
import { orderAction } from './order-actions.js';
import { NewOrderDto, OrderDto } from './order.dto.js';
import { ORDER_ERRORS } from './order.errors.js';

/** Where orders are, below the base of the API. */
export const ORDERS_PATH = '/store/orders';

const ITEM_PATH = `${ORDERS_PATH}/:orderId`;
const SINCE = '1.1.0';

const ORDER_STATUS: SchemaObject = {
  type: 'string',
  enum: [...OrderStatus.ALL],
  description:
    'State of an order: `placed` and `approved` reserve the animal until `expiresAt`, `delivered` is the adoption, all others are final.',
};

/** A named array: decorators can only make nameless ones. */
const ORDERS: SchemaObject = {
  type: 'array',
  maxItems: PageLimit.MAX,
  items: { $ref: '#/components/schemas/Order' },
  description: 'One page of orders, newest first.',
};

export const ORDERS_RESOURCE: Resource = {
  tag: STORE_TAG,
  models: [OrderDto],
  schemas: { OrderStatus: ORDER_STATUS, Orders: ORDERS },
};

const ORDER_ID: Parameter = {
  name: 'orderId',
  description: 'Id of the order.',
  schema: INT64_SCHEMA,
  example: 1,
};

/** What an order has in every state. */
const ORDER = {
  id: 91,
  petId: 42,
  reference: 'site-4711',
  placedBy: 'key_Wz6Oq1rXc8TqLd0A',
  placedAt: '2026-11-21T19:12:07.123Z',
};
const PLACED = {
  ...ORDER,
  status: 'placed',
  updatedAt: '2026-11-21T19:12:07.123Z',
  expiresAt: '2026-11-24T19:12:07.123Z',
};
const APPROVED = { updatedAt: '2026-11-22T08:30:00.000Z', expiresAt: '2026-12-06T08:30:00.000Z' };
const LATER = { updatedAt: '2026-11-25T10:15:00.000Z' };

export const LIST_ORDERS: OperationDeclaration = {
  id: 'listOrders',
  method: 'GET',
  path: ORDERS_PATH,
  summary: 'List orders',
  description:
    'Returns a paginated list of orders, newest first: those that were placed with the same key, or those of all keys with the scope `orders:manage`. While older ones follow, the response carries a `Link` header with `rel="next"`.',
  since: SINCE,
  scope: 'orders:read',
  success: {
    status: 200,
    description: 'One page of orders.',
    schema: 'Orders',
    headers: [HTTP_HEADERS.Link],
    example: [PLACED],
  },
  isConditional: true,
  errors: [HTTP_ERRORS.invalid_parameter, LIST_ERRORS.invalid_cursor, HTTP_ERRORS.bad_request],
};

export const PLACE_ORDER: OperationDeclaration = {
  id: 'placeOrder',
  method: 'POST',
  path: ORDERS_PATH,
  summary: 'Place an order',
  description:
    'Applies for an available animal and reserves it at once: its status becomes `pending`. Of several requests for one animal exactly one succeeds. The order expires at `expiresAt` unless it is approved. With an `Idempotency-Key` the request may be sent again without harm.',
  since: SINCE,
  scope: 'orders:write',
  requestHeaders: [IDEMPOTENCY_KEY],
  body: {
    dto: NewOrderDto,
    description: 'The animal that is applied for; unknown members are ignored.',
    examples: { newOrder: { summary: 'An application.', value: { petId: 1, reference: 'site-4711' } } },
  },
  success: {
    status: 201,
    description: 'The order has been placed; the animal is reserved.',
    schema: 'Order',
    headers: [CONTRACT_HEADERS.Location, HTTP_HEADERS.ETag, IDEMPOTENCY_HEADERS['Idempotent-Replayed']],
    example: PLACED,
  },
  errors: [
    HTTP_ERRORS.invalid_json,
    HTTP_ERRORS.validation_failed,
    HTTP_ERRORS.invalid_parameter,
    HTTP_ERRORS.bad_request,
    ORDER_ERRORS.pet_not_available,
    ORDER_ERRORS.order_limit_reached,
    IDEMPOTENCY_ERRORS.idempotency_in_progress,
    HTTP_ERRORS.payload_too_large,
    HTTP_ERRORS.unsupported_media_type,
    IDEMPOTENCY_ERRORS.idempotency_key_reused,
  ],
};

export const GET_ORDER: OperationDeclaration = {
  id: 'getOrder',
  method: 'GET',
  path: ITEM_PATH,
  summary: 'Get an order',
  description:
    'Returns a single order. Without the scope `orders:manage` an order that was placed with another key is 404.',
  since: SINCE,
  scope: 'orders:read',
  pathParameters: [ORDER_ID],
  success: { status: 200, description: 'The order.', schema: 'Order', example: PLACED },
  isConditional: true,
  errors: [ORDER_ERRORS.order_not_found, HTTP_ERRORS.bad_request],
};

const shared = { path: ITEM_PATH, orderId: ORDER_ID } as const;

export const CANCEL_ORDER = orderAction({
  ...shared,
  action: 'cancel',
  takesReason: true,
  summary: 'Cancel an order',
  example: { ...ORDER, status: 'cancelled', reason: 'The family has moved away.', ...LATER },
});
export const APPROVE_ORDER = orderAction({
  ...shared,
  action: 'approve',
  takesReason: false,
  summary: 'Approve an order',
  example: { ...ORDER, status: 'approved', ...APPROVED },
});
export const DELIVER_ORDER = orderAction({
  ...shared,
  action: 'deliver',
  takesReason: false,
  summary: 'Hand the animal over',
  example: { ...ORDER, status: 'delivered', ...LATER },
});
export const DECLINE_ORDER = orderAction({
  ...shared,
  action: 'decline',
  takesReason: true,
  summary: 'Decline an order',
  example: { ...ORDER, status: 'declined', reason: 'The flat is too small.', ...LATER },
});
export const RETURN_ORDER = orderAction({
  ...shared,
  action: 'return',
  takesReason: true,
  summary: 'Take the animal back',
  example: { ...ORDER, status: 'returned', reason: 'The child is allergic.', ...LATER },
});
