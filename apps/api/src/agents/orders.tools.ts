import type { Caller } from '@petstore/api-key';
import {
  type OrderAction,
  ORDER_FIELDS,
  OrderId,
  orderJson,
  OrderStatus,
  orderVisibility,
} from '@petstore/order-domain';
import {
  described,
  FreeText,
  objectOf,
  PageLimit,
  PetId,
  resourceOf,
  stringEnum,
} from '@petstore/pet-domain';
import type { OrdersService } from '../orders/orders.service.js';
import { ANIMAL_ID } from './animals.tools.js';
import { cursor, digits, IDEMPOTENCY_KEY, limit } from './arguments.js';
import { NEXT_CURSOR, resultOf, someOf } from './results.js';
import { defineTool, type Tool } from './tool.js';

const ORDER = resourceOf(ORDER_FIELDS);
const ORDER_ID = digits(OrderId, 'Id of the order.');
/** The actions that keep a reason, as over HTTP. */
const WITH_REASON: ReadonlySet<OrderAction> = new Set(['cancel', 'decline', 'return']);

/** Reserving animals, and deciding on it. */
export function orderTools(orders: OrdersService): readonly Tool[] {
  const act = async (
    id: OrderId,
    action: OrderAction,
    caller: Caller,
    reason?: FreeText,
  ): Promise<object> => {
    const kept = WITH_REASON.has(action) ? reason : undefined;
    const visibility = orderVisibility(caller);
    return resultOf(orderJson(await orders.act({ id, action, visibility, reason: kept })));
  };
  return [
    defineTool({
      name: 'place_order',
      description:
        'Applies for an available animal, which is reserved at once, until expires_at unless the shelter approves. Put no personal data into it.',
      scope: 'orders:write',
      arguments: objectOf(
        {
          petId: ANIMAL_ID,
          reference: ORDER_FIELDS.reference,
          idempotencyKey: IDEMPOTENCY_KEY,
        },
        ['petId'],
      ),
      result: ORDER,
      run: async (wanted, caller, key) => resultOf((await orders.place(caller.keyId, wanted, key)).json),
    }),
    defineTool({
      name: 'list_orders',
      description: 'Returns orders, newest first: those of this key, or all with the scope orders:manage.',
      scope: 'orders:read',
      arguments: objectOf({
        status: described(OrderStatus, 'Only orders in this state.'),
        petId: digits(PetId, 'Only orders for this animal.'),
        limit: limit(PageLimit.MAX, PageLimit.DEFAULT),
        cursor: cursor<OrderId>(),
      }),
      result: resourceOf({ orders: someOf(ORDER, PageLimit.MAX), next_cursor: NEXT_CURSOR }),
      run: async (given, caller) => {
        const { json, next } = await orders.list(given, orderVisibility(caller));
        return { orders: resultOf(json), next_cursor: next };
      },
    }),
    defineTool({
      name: 'get_order',
      description:
        'Returns an order with its animal, its status, and when it changes by itself or has changed. Find its id with list_orders.',
      scope: 'orders:read',
      arguments: objectOf({ orderId: ORDER_ID }, ['orderId']),
      result: ORDER,
      run: async ({ orderId }, caller) =>
        resultOf(orderJson(await orders.find(orderId, orderVisibility(caller)))),
    }),
    defineTool({
      name: 'cancel_order',
      description: 'Ends an order that is placed or approved; its animal is available again.',
      scope: 'orders:write',
      arguments: objectOf(
        { orderId: ORDER_ID, reason: described(FreeText, 'Why, for people; no personal data.') },
        ['orderId'],
      ),
      result: ORDER,
      run: ({ orderId, reason }, caller) => act(orderId, 'cancel', caller, reason),
    }),
    defineTool({
      name: 'decide_order',
      description:
        "The shelter's desk: approve or decline a placed order, deliver an approved one (the animal is adopted), return a delivered one. The same decision again changes nothing.",
      scope: 'orders:manage',
      arguments: objectOf(
        {
          orderId: ORDER_ID,
          decision: described(stringEnum('approve', 'decline', 'deliver', 'return'), 'What is decided.'),
          reason: described(FreeText, 'Why, for people, kept of decline and return; no personal data.'),
        },
        ['orderId', 'decision'],
      ),
      result: ORDER,
      run: ({ orderId, decision, reason }, caller) => act(orderId, decision, caller, reason),
    }),
  ];
}
