import { Param } from '@nestjs/common';
import { PositionGoneError, visibleEvents } from '@petstore/event-feed';
import { ApiError, JsonResponse } from '@petstore/http-kernel';
import { JsonBody, QueryParameters } from '@petstore/http-server';
import {
  DeliveryId,
  DeliveryNotFoundError,
  type Recovery,
  type RecoveryRequest,
  WebhookDisabledError,
} from '@petstore/webhook';
import { DeliveryStore } from '@petstore/persistence';
import { Caller } from '../access/caller.decorator.js';
import { positionGone } from '../events/position-gone.js';
import { ContractController } from '../operations/contract-controller.decorator.js';
import { pageResponse, PRIVATE_RESPONSE } from '../operations/contract-responses.js';
import { ContractOperation } from '../operations/operation.decorator.js';
import { Refusals } from '../operations/refusals.js';
import { LIST_DELIVERIES, RECOVER_WEBHOOK, REDELIVER, TEST_WEBHOOK } from './deliveries.operations.js';
import { ListDeliveriesQuery } from './list-deliveries.query.js';
import { WEBHOOK_ERRORS } from './webhook.errors.js';
import { WebhookLinks } from './webhook-links.js';
import { required, webhookOf } from './requested-webhook.js';
import { NewRecoveryDto } from './webhook-requests.dto.js';
import { DELIVERIES_RESOURCE } from './webhooks.resource.js';

const REFUSALS = new Refusals([
  [DeliveryNotFoundError, WEBHOOK_ERRORS.delivery_not_found],
  [WebhookDisabledError, WEBHOOK_ERRORS.webhook_disabled],
]);

/** The operations on deliveries of webhooks (docs/contract.md, "Webhooks"). */
@ContractController(DELIVERIES_RESOURCE)
export class DeliveriesController {
  constructor(
    private readonly deliveries: DeliveryStore,
    private readonly links: WebhookLinks,
  ) {}

  @ContractOperation(TEST_WEBHOOK)
  async test(@Caller() caller: Caller, @Param('webhookId') id: string): Promise<JsonResponse> {
    return accepted(required(await this.deliveries.test(webhookOf(caller, id))));
  }

  @ContractOperation(LIST_DELIVERIES)
  async list(
    @Caller() caller: Caller,
    @Param('webhookId') id: string,
    @QueryParameters(ListDeliveriesQuery) query: ListDeliveriesQuery,
  ): Promise<JsonResponse> {
    const request = ListDeliveriesQuery.toPageRequest(query, webhookOf(caller, id));
    const page = required(await this.deliveries.list(request));
    return pageResponse(page.json, this.links.deliveries(request, page));
  }

  @ContractOperation(REDELIVER)
  async redeliver(
    @Caller() caller: Caller,
    @Param('webhookId') id: string,
    @Param('deliveryId') text: string,
  ): Promise<JsonResponse> {
    const webhook = webhookOf(caller, id);
    const delivery = DeliveryId.parse(text);
    if (delivery === undefined) throw new ApiError(WEBHOOK_ERRORS.delivery_not_found);
    return accepted(required(await REFUSALS.of(this.deliveries.redeliver(webhook, delivery))));
  }

  @ContractOperation(RECOVER_WEBHOOK)
  async recover(
    @Caller() caller: Caller,
    @Param('webhookId') id: string,
    @JsonBody(NewRecoveryDto) body: NewRecoveryDto,
  ): Promise<JsonResponse> {
    const request = {
      ...webhookOf(caller, id),
      after: NewRecoveryDto.toPosition(body),
      visibility: visibleEvents(caller),
    };
    const { requeued, next } = required(await REFUSALS.of(this.recovered(request)));
    return accepted(`{"requeued":${requeued}${next === undefined ? '' : `,"next":${next}`}}`);
  }

  private async recovered(request: RecoveryRequest): Promise<Recovery | undefined> {
    try {
      return await this.deliveries.recover(request);
    } catch (error) {
      if (error instanceof PositionGoneError) throw positionGone(error, request.after);
      throw error;
    }
  }
}

function accepted(json: string): JsonResponse {
  return new JsonResponse(202, json, PRIVATE_RESPONSE);
}
