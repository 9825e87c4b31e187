import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import type { JsonResponse } from '@petstore/http-server';
import { type OrderAction, OrderId, orderJson, orderVisibility } from '@petstore/order-domain';
import type { FreeText } from '@petstore/pet-domain';
import { Caller } from '../access/caller.decorator.js';
import { IdempotencyKey } from '../idempotency/idempotency-key.decorator.js';
import { Operation, Resource } from '../operations/declare-operation.js';
import { idIn } from '../operations/path-ids.js';
import { actedResponse, createdResponse, pageResponse, readResponse } from '../operations/responses.js';
import { ListOrdersQuery, NewOrderDto, OrderReasonDto } from './order.dto.js';
import { ORDER_ERRORS } from './order.errors.js';
import {
  APPROVED,
  CANCELLED,
  DECLINED,
  DELIVERED,
  ORDER_ID,
  orderAction,
  ORDERS,
  PLACED,
  REASON,
  RETURNED,
} from './orders.docs.js';
import { OrdersService } from './orders.service.js';

/** The operations on orders (docs/contract.md, "Orders"). */
@Controller('v1/store/orders')
@Resource(ORDERS)
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Get()
  @Operation({
    id: 'listOrders',
    summary: 'List orders',
    description:
      'Returns a paginated list of orders, newest first: those that were placed with the same key, or those of all keys with the scope `orders:manage`. While older ones follow, the response carries a `Link` header with `rel="next"`.',
    since: '1.1.0',
    scope: 'orders:read',
    isPaged: true,
    isConditional: true,
    success: { status: 200, description: 'One page of orders.', schema: 'Orders', example: [PLACED] },
  })
  async list(@Caller() caller: Caller, @Query() query: ListOrdersQuery): Promise<JsonResponse> {
    return pageResponse(await this.orders.list(query, orderVisibility(caller)));
  }

  @Post()
  @Operation({
    id: 'placeOrder',
    summary: 'Place an order',
    description:
      'Applies for an available animal and reserves it at once: its status becomes `pending`. Of several requests for one animal exactly one succeeds. The order expires at `expiresAt` unless it is approved. With an `Idempotency-Key` the request may be sent again without harm.',
    since: '1.1.0',
    scope: 'orders:write',
    isIdempotent: true,
    body: {
      dto: NewOrderDto,
      description: 'The animal that is applied for; unknown members are ignored.',
      examples: { newOrder: { summary: 'An application.', value: { petId: 1, reference: 'site-4711' } } },
    },
    success: {
      status: 201,
      description: 'The order has been placed; the animal is reserved.',
      schema: 'Order',
      example: PLACED,
    },
    errors: [ORDER_ERRORS.pet_not_available, ORDER_ERRORS.order_limit_reached],
  })
  async place(
    @Caller() { keyId }: Caller,
    @Body() body: NewOrderDto,
    @IdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<JsonResponse> {
    return createdResponse(await this.orders.place(keyId, body, key));
  }

  @Get(':orderId')
  @Operation({
    id: 'getOrder',
    summary: 'Get an order',
    description:
      'Returns a single order. Without the scope `orders:manage` an order that was placed with another key is 404.',
    since: '1.1.0',
    scope: 'orders:read',
    params: [ORDER_ID],
    isConditional: true,
    success: { status: 200, description: 'The order.', schema: 'Order', example: PLACED },
    errors: [ORDER_ERRORS.order_not_found],
  })
  async get(@Caller() caller: Caller, @Param('orderId') orderId: string): Promise<JsonResponse> {
    return readResponse(await this.orders.find(orderIdIn(orderId), orderVisibility(caller)));
  }

  @Post(':orderId/cancel')
  @HttpCode(200)
  @Operation(orderAction('cancel', 'Cancel an order', CANCELLED, { body: REASON }))
  cancel(
    @Caller() caller: Caller,
    @Param('orderId') orderId: string,
    @Body() { reason }: OrderReasonDto,
  ): Promise<JsonResponse> {
    return this.act('cancel', orderId, caller, reason);
  }

  @Post(':orderId/approve')
  @HttpCode(200)
  @Operation(orderAction('approve', 'Approve an order', APPROVED))
  approve(@Caller() caller: Caller, @Param('orderId') orderId: string): Promise<JsonResponse> {
    return this.act('approve', orderId, caller);
  }

  @Post(':orderId/deliver')
  @HttpCode(200)
  @Operation(orderAction('deliver', 'Hand the animal over', DELIVERED))
  deliver(@Caller() caller: Caller, @Param('orderId') orderId: string): Promise<JsonResponse> {
    return this.act('deliver', orderId, caller);
  }

  @Post(':orderId/decline')
  @HttpCode(200)
  @Operation(orderAction('decline', 'Decline an order', DECLINED, { body: REASON }))
  decline(
    @Caller() caller: Caller,
    @Param('orderId') orderId: string,
    @Body() { reason }: OrderReasonDto,
  ): Promise<JsonResponse> {
    return this.act('decline', orderId, caller, reason);
  }

  @Post(':orderId/return')
  @HttpCode(200)
  @Operation(orderAction('return', 'Take the animal back', RETURNED, { body: REASON }))
  takeBack(
    @Caller() caller: Caller,
    @Param('orderId') orderId: string,
    @Body() { reason }: OrderReasonDto,
  ): Promise<JsonResponse> {
    return this.act('return', orderId, caller, reason);
  }

  private async act(
    action: OrderAction,
    orderId: string,
    caller: Caller,
    reason?: FreeText,
  ): Promise<JsonResponse> {
    const request = { id: orderIdIn(orderId), action, visibility: orderVisibility(caller), reason };
    return actedResponse(orderJson(await this.orders.act(request)));
  }
}

function orderIdIn(text: string): OrderId {
  return idIn(OrderId, text, ORDER_ERRORS.order_not_found);
}
