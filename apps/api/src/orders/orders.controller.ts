import { Inject, Param } from '@nestjs/common';
import { ApiError, JsonResponse } from '@petstore/http-kernel';
import { JsonBody, OptionalJsonBody, QueryParameters } from '@petstore/http-server';
import {
  InvalidOrderTransitionError,
  type OrderAction,
  OrderId,
  OrderLimitReachedError,
  type OrderReach,
  type OrderStore,
  PetNotAvailableError,
  type StoredOrder,
} from '@petstore/order-domain';
import { Caller } from '../access/caller.decorator.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { IdempotencyKey } from '../idempotency/idempotency-key.decorator.js';
import { ContractController } from '../operations/contract-controller.decorator.js';
import {
  createdResponse,
  pageResponse,
  PRIVATE_RESPONSE,
  readResponse,
} from '../operations/contract-responses.js';
import { ContractOperation } from '../operations/operation.decorator.js';
import { Refusals } from '../operations/refusals.js';
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
import { reachOf } from './order-reach.js';

/** Injection token of the port that orders are kept behind. */
export const ORDER_STORE = Symbol('OrderStore');

const REFUSALS = new Refusals([
  [OrderLimitReachedError, ORDER_ERRORS.order_limit_reached],
  [PetNotAvailableError, ORDER_ERRORS.pet_not_available],
  [InvalidOrderTransitionError, ORDER_ERRORS.invalid_order_transition],
]);

@ContractController(ORDERS_RESOURCE)
export class OrdersController {
  constructor(
    @Inject(ORDER_STORE) private readonly orders: OrderStore,
    @Inject(Idempotency) private readonly idempotency: Idempotency,
    @Inject(OrderLinks) private readonly links: OrderLinks,
  ) {}

  @ContractOperation(LIST_ORDERS)
  async list(
    @Caller() caller: Caller,
    @QueryParameters(ListOrdersQuery) query: ListOrdersQuery,
  ): Promise<JsonResponse> {
    const request = ListOrdersQuery.toPageRequest(query, reachOf(caller));
    const page = await this.orders.list(request);
    return pageResponse(page.json, this.links.page(request, page));
  }

  @ContractOperation(PLACE_ORDER)
  async place(
    @Caller() { keyId }: Caller,
    @IdempotencyKey() token: string | undefined,
    @JsonBody(NewOrderDto) body: NewOrderDto,
  ): Promise<JsonResponse> {
    const wanted = NewOrderDto.toNewOrder(body);
    if (token === undefined) return this.placed(await REFUSALS.of(this.orders.place(wanted, keyId)));
    const request = { caller: keyId, token, operation: PLACE_ORDER.id, input: { ...wanted } };
    const attempt = (): Promise<JsonResponse> =>
      this.idempotency.run(request, async (transaction) =>
        this.placed(await this.orders.place(wanted, keyId, transaction)),
      );
    return REFUSALS.of(
      this.orders.contend(wanted, keyId, attempt, () => this.idempotency.isAnswered(request)),
    );
  }

  @ContractOperation(GET_ORDER)
  async get(@Caller() caller: Caller, @Param('orderId') text: string): Promise<JsonResponse> {
    const order = await this.orders.find(orderIdOf(text), reachOf(caller));
    if (order === undefined) throw new ApiError(ORDER_ERRORS.order_not_found);
    return readResponse(order);
  }

  @ContractOperation(CANCEL_ORDER)
  cancel(
    @Caller() caller: Caller,
    @Param('orderId') id: string,
    @OptionalJsonBody(OrderReasonDto) body: OrderReasonDto,
  ): Promise<JsonResponse> {
    return this.act('cancel', id, reachOf(caller), body);
  }

  @ContractOperation(APPROVE_ORDER)
  approve(@Param('orderId') id: string): Promise<JsonResponse> {
    return this.act('approve', id, 'all');
  }

  @ContractOperation(DELIVER_ORDER)
  deliver(@Param('orderId') id: string): Promise<JsonResponse> {
    return this.act('deliver', id, 'all');
  }

  @ContractOperation(DECLINE_ORDER)
  decline(
    @Param('orderId') id: string,
    @OptionalJsonBody(OrderReasonDto) body: OrderReasonDto,
  ): Promise<JsonResponse> {
    return this.act('decline', id, 'all', body);
  }

  @ContractOperation(RETURN_ORDER)
  takeBack(
    @Param('orderId') id: string,
    @OptionalJsonBody(OrderReasonDto) body: OrderReasonDto,
  ): Promise<JsonResponse> {
    return this.act('return', id, 'all', body);
  }

  private async act(
    action: OrderAction,
    id: string,
    reach: OrderReach,
    body: OrderReasonDto = {},
  ): Promise<JsonResponse> {
    const request = { id: orderIdOf(id), action, reach, reason: OrderReasonDto.toReason(body) };
    const order = await REFUSALS.of(this.orders.act(request));
    if (order === undefined) throw new ApiError(ORDER_ERRORS.order_not_found);
    return JsonResponse.ok(order, PRIVATE_RESPONSE);
  }

  private placed({ id, json }: StoredOrder): JsonResponse {
    return createdResponse(json, this.links.order(id));
  }
}

function orderIdOf(text: string): OrderId {
  const id = OrderId.parse(text);
  if (id === undefined) throw new ApiError(ORDER_ERRORS.order_not_found);
  return id;
}
