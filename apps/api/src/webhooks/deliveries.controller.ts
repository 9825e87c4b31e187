import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import type { JsonResponse } from '@petstore/http-server';
import { Caller } from '@petstore/api-key';
import { deliveryJson } from '@petstore/webhook';
import { Operation, Resource } from '../operations/operation.decorator.js';
import { acceptedResponse, pageResponse } from '../operations/responses.js';
import { DeliveriesService } from './deliveries.service.js';
import { ListDeliveriesQuery, NewRecoveryDto } from './delivery.dto.js';
import { DELIVERIES, DELIVERY_OPERATIONS } from './deliveries.docs.js';
import { webhookOf } from './webhooks.service.js';

/** The operations on deliveries of webhooks (docs/contract.md, "Webhooks"). */
@Controller('v1/webhooks/:webhookId')
@Resource(DELIVERIES)
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Post('test')
  @Operation(DELIVERY_OPERATIONS.testWebhook)
  async test(@Caller() caller: Caller, @Param('webhookId') webhookId: string): Promise<JsonResponse> {
    const delivery = await this.deliveries.test(webhookOf(caller, webhookId));
    return acceptedResponse(deliveryJson(delivery));
  }

  @Get('deliveries')
  @Operation(DELIVERY_OPERATIONS.listDeliveries)
  async list(
    @Caller() caller: Caller,
    // In this order: generators of clients make their arguments from it.
    @Query() query: ListDeliveriesQuery,
    @Param('webhookId') webhookId: string,
  ): Promise<JsonResponse> {
    return pageResponse(await this.deliveries.list(webhookOf(caller, webhookId), query));
  }

  @Post('deliveries/:deliveryId/redeliver')
  @Operation(DELIVERY_OPERATIONS.redeliver)
  async redeliver(
    @Caller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<JsonResponse> {
    const delivery = await this.deliveries.redeliver(webhookOf(caller, webhookId), deliveryId);
    return acceptedResponse(deliveryJson(delivery));
  }

  @Post('recover')
  @Operation(DELIVERY_OPERATIONS.recoverWebhook)
  async replay(
    @Caller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @Body() { after }: NewRecoveryDto,
  ): Promise<JsonResponse> {
    const { requeued, next } = await this.deliveries.replay(webhookOf(caller, webhookId), after, caller);
    // By hand: the position is an int64.
    return acceptedResponse(`{"requeued":${requeued}${next === undefined ? '' : `,"next":${next}`}}`);
  }
}
