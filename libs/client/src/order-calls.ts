import { type CallOptions, callSettings, type CreateOptions, type ReasonOptions } from './client-options.js';
import { creationSettings } from './creation.js';
import { toInt64 } from './int64.js';
import { type ListOrders, listOrdersSearch, type NewOrder } from './order.js';
import type { Call } from './transport.js';

const PATH = '/store/orders';

/** What can be done with an order, as the paths have it. */
export type OrderAction = 'approve' | 'cancel' | 'decline' | 'deliver' | 'return';

/** Each operation on orders as the transport sends it. All throw a RangeError for an id that is not exact. */
export const ORDER_CALLS = {
  list: (query: ListOrders, options: CallOptions): Call => ({
    operation: 'listOrders',
    method: 'GET',
    path: PATH + listOrdersSearch(query),
    repeatable: true,
    ...callSettings(options),
  }),

  place: (order: NewOrder, options: CreateOptions): Call => ({
    operation: 'placeOrder',
    method: 'POST',
    path: PATH,
    body: { ...order, petId: toInt64('petId', order.petId) },
    ...creationSettings(options),
    ...callSettings(options),
  }),

  get: (id: bigint | number, options: CallOptions): Call => ({
    operation: 'getOrder',
    method: 'GET',
    path: pathOf(id),
    repeatable: true,
    ...callSettings(options),
  }),

  /** To repeat an action on an order that it has brought to its state is no error. */
  act: (action: OrderAction, id: bigint | number, options: ReasonOptions): Call => ({
    operation: `${action}Order`,
    method: 'POST',
    path: `${pathOf(id)}/${action}`,
    ...(options.reason !== undefined && { body: { reason: options.reason } }),
    repeatable: true,
    ...callSettings(options),
  }),
};

function pathOf(id: bigint | number): string {
  return `${PATH}/${toInt64('id', id)}`;
}
