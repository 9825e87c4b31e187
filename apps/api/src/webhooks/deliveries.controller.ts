import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import type { JsonResponse } from '@petstore/http-server';
import { MAX_RECOVERED } from '@petstore/webhook';
import { Caller } from '../access/caller.decorator.js';
import { EVENT_ERRORS } from '../events/event.errors.js';
import { Operation, Resource } from '../operations/declare-operation.js';
import { acceptedResponse, pageResponse } from '../operations/responses.js';
import { DeliveriesService } from './deliveries.service.js';
import { ListDeliveriesQuery, NewRecoveryDto } from './delivery.dto.js';
import { WEBHOOK_ERRORS } from './webhook.errors.js';
import {
  DELIVERIES,
  DELIVERY_ID,
  DUE_DELIVERY,
  MANAGED_ONE,
  RETRIED_DELIVERY,
  TEST_DELIVERY,
  WEBHOOK_ID,
} from './webhooks.docs.js';
import { webhookOf } from './webhooks.service.js';

/** The operations on deliveries of webhooks (docs/contract.md, "Webhooks"). */
@Controller('v1/webhooks/:webhookId')
@Resource(DELIVERIES)
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Post('test')
  @HttpCode(202)
  @Operation({
    ...MANAGED_ONE,
    id: 'testWebhook',
    summary: 'Send a test',
    description:
      'Delivers an event of the type `webhook.test` to this webhook alone, also while it is disabled: one attempt, which counts towards nothing.',
    success: {
      status: 202,
      description: 'The delivery, which is due now.',
      schema: 'WebhookDelivery',
      example: TEST_DELIVERY,
    },
    errors: [WEBHOOK_ERRORS.webhook_not_found],
  })
  async test(@Caller() caller: Caller, @Param('webhookId') webhookId: string): Promise<JsonResponse> {
    return acceptedResponse(await this.deliveries.test(webhookOf(caller, webhookId)));
  }

  @Get('deliveries')
  @Operation({
    ...MANAGED_ONE,
    id: 'listDeliveries',
    summary: 'List deliveries',
    description:
      'Returns a paginated list of deliveries to a webhook, newest first. They are kept as long as events. While older ones follow, the response carries a `Link` header with `rel="next"`.',
    isPaged: true,
    isConditional: true,
    success: {
      status: 200,
      description: 'One page of deliveries.',
      schema: 'WebhookDeliveries',
      example: [RETRIED_DELIVERY],
    },
    errors: [WEBHOOK_ERRORS.webhook_not_found],
  })
  async list(
    @Caller() caller: Caller,
    // In this order: generators of clients make their arguments from it.
    @Query() query: ListDeliveriesQuery,
    @Param('webhookId') webhookId: string,
  ): Promise<JsonResponse> {
    return pageResponse(await this.deliveries.list(webhookOf(caller, webhookId), query));
  }

  @Post('deliveries/:deliveryId/redeliver')
  @HttpCode(202)
  @Operation({
    ...MANAGED_ONE,
    id: 'redeliver',
    summary: 'Deliver again',
    description:
      'Makes a delivery due now, whatever has become of it, with all attempts before it. A test is not delivered again.',
    params: [WEBHOOK_ID, DELIVERY_ID],
    success: {
      status: 202,
      description: 'The delivery, which is due now.',
      schema: 'WebhookDelivery',
      example: DUE_DELIVERY,
    },
    errors: [
      WEBHOOK_ERRORS.webhook_not_found,
      WEBHOOK_ERRORS.delivery_not_found,
      WEBHOOK_ERRORS.webhook_disabled,
    ],
  })
  async redeliver(
    @Caller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<JsonResponse> {
    return acceptedResponse(await this.deliveries.redeliver(webhookOf(caller, webhookId), deliveryId));
  }

  @Post('recover')
  @HttpCode(202)
  @Operation({
    ...MANAGED_ONE,
    id: 'recoverWebhook',
    summary: 'Deliver what was missed',
    description: `Makes failed deliveries of events behind a position due again, and queues those events that never were, as while the webhook was disabled; the oldest first, at most ${MAX_RECOVERED.toLocaleString('en')}. To send the request again is safe: what is due is not queued twice.`,
    body: {
      dto: NewRecoveryDto,
      description: 'The position; unknown members are ignored.',
      examples: { newRecovery: { summary: 'From the last event received.', value: { after: 1041 } } },
    },
    success: {
      status: 202,
      description: 'How many deliveries are due now.',
      schema: 'Recovery',
      example: { requeued: 17 },
    },
    errors: [WEBHOOK_ERRORS.webhook_not_found, WEBHOOK_ERRORS.webhook_disabled, EVENT_ERRORS.position_gone],
  })
  async recover(
    @Caller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @Body() { after }: NewRecoveryDto,
  ): Promise<JsonResponse> {
    const { requeued, next } = await this.deliveries.recover(caller, webhookId, after);
    // By hand: the position is an int64.
    return acceptedResponse(`{"requeued":${requeued}${next === undefined ? '' : `,"next":${next}`}}`);
  }
}
