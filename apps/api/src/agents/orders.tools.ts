import { Injectable } from '@nestjs/common';
import type { Caller } from '@petstore/api-key';
import { type OrderAction, OrderId, orderJson, OrderStatus, orderVisibility } from '@petstore/order-domain';
import { FreeText, PageLimit, PetId, words } from '@petstore/pet-domain';
import { ORDER_CURSOR } from '../orders/order.dto.js';
import { OrdersService } from '../orders/orders.service.js';
import { ANIMAL_ID } from './animals.tools.js';
import {
  cursor,
  digits,
  IDEMPOTENCY_KEY,
  idempotencyKeyOf,
  limit,
  required,
  text,
  word,
} from './arguments.js';
import { ID, listOf, NEXT_CURSOR, objectOf, resultOf, TEXT } from './results.js';
import { ADDS, CHANGES, defineTool, READS, type ToolGroup } from './tool.js';

const ORDER = objectOf(
  {
    id: ID,
    animal_id: ID,
    status: { type: 'string', enum: [...OrderStatus.ALL] },
    placed_by: { ...TEXT, description: 'Id of the key that placed it.' },
    placed_at: TEXT,
    updated_at: TEXT,
  },
  {
    reference: TEXT,
    reason: TEXT,
    expires_at: { ...TEXT, description: 'When the reservation ends; absent when it has ended.' },
  },
);

const ORDER_ID = required(digits('Id of the order.', OrderId));
/** The actions that keep a reason, as over HTTP. */
const WITH_REASON: ReadonlySet<OrderAction> = new Set(['cancel', 'decline', 'return']);

/** Reserving animals, and deciding on it. */
@Injectable()
export class OrderTools implements ToolGroup {
  constructor(private readonly orders: OrdersService) {}

  readonly tools = [
    defineTool({
      name: 'place_order',
      description:
        'Applies for an available animal, which is reserved at once, until expires_at unless the shelter approves. Put no personal data into it.',
      scope: 'orders:write',
      hints: ADDS,
      arguments: {
        animal_id: ANIMAL_ID,
        reference: text(
          'A text of your own, such as a number in another system; no personal data.',
          FreeText,
        ),
        idempotency_key: IDEMPOTENCY_KEY,
      },
      result: ORDER,
      run: async (given, caller) => {
        const { animal_id: petId, reference } = given;
        const key = idempotencyKeyOf(given, 'place_order', caller);
        return resultOf((await this.orders.place(caller.keyId, { petId, reference }, key)).json);
      },
    }),
    defineTool({
      name: 'list_orders',
      description: 'Returns orders, newest first: those of this key, or all with the scope orders:manage.',
      scope: 'orders:read',
      hints: READS,
      arguments: {
        status: word('Only orders in this state.', words(...OrderStatus.ALL)),
        animal_id: digits('Only orders for this animal.', PetId),
        limit: limit(PageLimit.MAX, PageLimit.DEFAULT),
        cursor: cursor((sent) => ORDER_CURSOR.decode(sent)),
      },
      result: objectOf({ orders: listOf(ORDER) }, { next_cursor: NEXT_CURSOR }),
      run: async ({ animal_id: petId, limit: most = PageLimit.DEFAULT, ...given }, caller) => {
        const query = { ...given, limit: most, ...(petId !== undefined && { petId }) };
        const { json, next } = await this.orders.list(query, orderVisibility(caller));
        return { orders: resultOf(json), next_cursor: next };
      },
    }),
    defineTool({
      name: 'get_order',
      description: 'Returns an order.',
      scope: 'orders:read',
      hints: READS,
      arguments: { order_id: ORDER_ID },
      result: ORDER,
      run: async ({ order_id: id }, caller) => resultOf(await this.orders.find(id, orderVisibility(caller))),
    }),
    defineTool({
      name: 'cancel_order',
      description: 'Ends an order that is placed or approved; its animal is available again.',
      scope: 'orders:write',
      hints: CHANGES,
      arguments: { order_id: ORDER_ID, reason: text('Why, for people; no personal data.', FreeText) },
      result: ORDER,
      run: ({ order_id: id, reason }, caller) => this.act(id, 'cancel', caller, reason),
    }),
    defineTool({
      name: 'decide_order',
      description:
        "The shelter's desk: approve or decline a placed order, deliver an approved one (the animal is adopted), return a delivered one. The same decision again changes nothing.",
      scope: 'orders:manage',
      hints: CHANGES,
      arguments: {
        order_id: ORDER_ID,
        decision: required(word('What is decided.', words('approve', 'decline', 'deliver', 'return'))),
        reason: text('Why, for people, kept of decline and return; no personal data.', FreeText),
      },
      result: ORDER,
      run: ({ order_id: id, decision, reason }, caller) => this.act(id, decision, caller, reason),
    }),
  ];

  private async act(id: OrderId, action: OrderAction, caller: Caller, reason?: FreeText): Promise<object> {
    const request = { id, action, visibility: orderVisibility(caller) };
    return resultOf(
      orderJson(await this.orders.act({ ...request, ...(WITH_REASON.has(action) && { reason }) })),
    );
  }
}
