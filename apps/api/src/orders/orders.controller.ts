import { Param } from '@nestjs/common';
import { ApiError, JsonResponse } from '@petstore/http-kernel';
import { JsonBody, OptionalJsonBody, QueryParameters } from '@petstore/http-server';
import { type Order, type OrderAction, OrderId, orderJson, orderVisibility } from '@petstore/order-domain';
import { OrderStore } from '@petstore/persistence';
import { Caller } from '../access/caller.decorator.js';
import { IdempotencyKey } from '../idempotency/idempotency-key.decorator.js';
import { ContractController } from '../operations/contract-controller.decorator.js';
import {
  createdResponse,
  pageResponse,
  PRIVATE_RESPONSE,
  readResponse,
} from '../operations/contract-responses.js';
import { ContractOperation } from '../operations/operation.decorator.js';
import { ListOrdersQuery } from './list-orders.query.js';
import { NewOrderDto, OrderReasonDto } from './order.dto.js';
import { ORDER_ERRORS } from './order.errors.js';
import { OrderLinks } from './order-links.js';
import {
  APPROVE_ORDER,
  CANCEL_ORDER,
  DECLINE_ORDER,
  DELIVER_ORDER,
  GET_ORDER,
  LIST_ORDERS,
  ORDERS_RESOURCE,
  PLACE_ORDER,
  RETURN_ORDER,
} from './orders.operations.js';
import { OrdersService } from './orders.service.js';

/** The operations on orders (docs/contract.md, "Orders"). */
@ContractController(ORDERS_RESOURCE)
export class OrdersController {
  constructor(
    private readonly orders: OrderStore,
    private readonly service: OrdersService,
    private readonly links: OrderLinks,
  ) {}

  @ContractOperation(LIST_ORDERS)
  async list(
    @Caller() caller: Caller,
    @QueryParameters(ListOrdersQuery) query: ListOrdersQuery,
  ): Promise<JsonResponse> {
    const request = ListOrdersQuery.toPageRequest(query, orderVisibility(caller));
    const page = await this.orders.list(request);
    return pageResponse(page.json, this.links.page(request, page));
  }

  @ContractOperation(PLACE_ORDER)
  place(
    @Caller() { keyId }: Caller,
    @IdempotencyKey() token: string | undefined,
    @JsonBody(NewOrderDto) body: NewOrderDto,
  ): Promise<JsonResponse> {
    const request = { caller: keyId, token, operation: PLACE_ORDER.id };
    return this.service.place(NewOrderDto.toNewOrder(body), request, (order) => this.placed(order));
  }

  @ContractOperation(GET_ORDER)
  async get(@Caller() caller: Caller, @Param('orderId') text: string): Promise<JsonResponse> {
    const order = await this.orders.find(orderIdOf(text), orderVisibility(caller));
    if (order === undefined) throw new ApiError(ORDER_ERRORS.order_not_found);
    return readResponse(order);
  }

  @ContractOperation(CANCEL_ORDER)
  cancel(
    @Caller() caller: Caller,
    @Param('orderId') id: string,
    @OptionalJsonBody(OrderReasonDto) body: OrderReasonDto,
  ): Promise<JsonResponse> {
    return this.act('cancel', id, caller, body);
  }

  @ContractOperation(APPROVE_ORDER)
  approve(@Caller() caller: Caller, @Param('orderId') id: string): Promise<JsonResponse> {
    return this.act('approve', id, caller);
  }

  @ContractOperation(DELIVER_ORDER)
  deliver(@Caller() caller: Caller, @Param('orderId') id: string): Promise<JsonResponse> {
    return this.act('deliver', id, caller);
  }

  @ContractOperation(DECLINE_ORDER)
  decline(
    @Caller() caller: Caller,
    @Param('orderId') id: string,
    @OptionalJsonBody(OrderReasonDto) body: OrderReasonDto,
  ): Promise<JsonResponse> {
    return this.act('decline', id, caller, body);
  }

  @ContractOperation(RETURN_ORDER)
  takeBack(
    @Caller() caller: Caller,
    @Param('orderId') id: string,
    @OptionalJsonBody(OrderReasonDto) body: OrderReasonDto,
  ): Promise<JsonResponse> {
    return this.act('return', id, caller, body);
  }

  private async act(
    action: OrderAction,
    id: string,
    caller: Caller,
    body: OrderReasonDto = {},
  ): Promise<JsonResponse> {
    const visibility = orderVisibility(caller);
    const reason = OrderReasonDto.toReason(body);
    const order = await this.service.act({ id: orderIdOf(id), action, visibility, reason });
    return JsonResponse.ok(orderJson(order), PRIVATE_RESPONSE);
  }

  private placed(order: Order): JsonResponse {
    return createdResponse(orderJson(order), this.links.order(order));
  }
}

function orderIdOf(text: string): OrderId {
  const id = OrderId.parse(text);
  if (id === undefined) throw new ApiError(ORDER_ERRORS.order_not_found);
  return id;
}
