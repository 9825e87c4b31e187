import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import type { JsonResponse } from '@petstore/http-server';
import { type OrderAction, OrderId, orderJson, orderVisibility } from '@petstore/order-domain';
import type { FreeText } from '@petstore/pet-domain';
import { Caller } from '@petstore/api-key';
import { IdempotencyKey } from '../operations/request-headers.decorator.js';
import { Operation, Resource } from '../operations/operation.decorator.js';
import { idIn } from '../operations/path-id.js';
import { actedResponse, createdResponse, pageResponse, readResponse } from '../operations/responses.js';
import { ListOrdersQuery, NewOrderDto, OrderReasonDto } from './order.dto.js';
import { ORDER_ERRORS } from './orders.docs.js';
import { ORDER_OPERATIONS, ORDERS } from './orders.docs.js';
import { OrdersService } from './orders.service.js';

/** The operations on orders (docs/contract.md, "Orders"). */
@Controller('v1/store/orders')
@Resource(ORDERS)
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Get()
  @Operation(ORDER_OPERATIONS.listOrders)
  async list(@Caller() caller: Caller, @Query() query: ListOrdersQuery): Promise<JsonResponse> {
    return pageResponse(await this.orders.list(query, orderVisibility(caller)));
  }

  @Post()
  @Operation(ORDER_OPERATIONS.placeOrder)
  async place(
    @Caller() { keyId }: Caller,
    @Body() body: NewOrderDto,
    @IdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<JsonResponse> {
    return createdResponse(await this.orders.place(keyId, body, key));
  }

  @Get(':orderId')
  @Operation(ORDER_OPERATIONS.getOrder)
  async get(@Caller() caller: Caller, @Param('orderId') orderId: string): Promise<JsonResponse> {
    return readResponse(orderJson(await this.orders.find(orderIdIn(orderId), orderVisibility(caller))));
  }

  @Post(':orderId/cancel')
  @Operation(ORDER_OPERATIONS.cancelOrder)
  cancel(
    @Caller() caller: Caller,
    @Param('orderId') orderId: string,
    @Body() { reason }: OrderReasonDto,
  ): Promise<JsonResponse> {
    return this.act('cancel', orderId, caller, reason);
  }

  @Post(':orderId/approve')
  @Operation(ORDER_OPERATIONS.approveOrder)
  approve(@Caller() caller: Caller, @Param('orderId') orderId: string): Promise<JsonResponse> {
    return this.act('approve', orderId, caller);
  }

  @Post(':orderId/deliver')
  @Operation(ORDER_OPERATIONS.deliverOrder)
  deliver(@Caller() caller: Caller, @Param('orderId') orderId: string): Promise<JsonResponse> {
    return this.act('deliver', orderId, caller);
  }

  @Post(':orderId/decline')
  @Operation(ORDER_OPERATIONS.declineOrder)
  decline(
    @Caller() caller: Caller,
    @Param('orderId') orderId: string,
    @Body() { reason }: OrderReasonDto,
  ): Promise<JsonResponse> {
    return this.act('decline', orderId, caller, reason);
  }

  @Post(':orderId/return')
  @Operation(ORDER_OPERATIONS.returnOrder)
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
