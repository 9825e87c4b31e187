import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { type EmptyResponse, entityTag, type JsonResponse } from '@petstore/http-server';
import { Caller } from '@petstore/api-key';
import { deliveryJson, webhookJson, webhookWithSecretJson } from '@petstore/webhook';
import { type Precondition, WritePrecondition } from '../operations/request-headers.decorator.js';
import { Operation, Resource } from '../operations/operation.decorator.js';
import {
  acceptedResponse,
  changedResponse,
  emptyResponse,
  pageResponse,
  readResponse,
  secretResponse,
} from '../operations/responses.js';
import { DELIVERY_OPERATIONS } from './deliveries.docs.js';
import { DeliveriesService } from './deliveries.service.js';
import { ListDeliveriesQuery, NewRecoveryDto } from './delivery.dto.js';
import { NewWebhookDto, SecretRotationDto, WebhookPatchDto } from './webhook.dto.js';
import { WEBHOOK_OPERATIONS, WEBHOOKS } from './webhooks.docs.js';
import { webhookOf, WebhooksService } from './webhooks.service.js';

/** The operations on webhooks and their deliveries (docs/contract.md, "Webhooks"). */
@Controller('v1/webhooks')
@Resource(WEBHOOKS)
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
  ) {}

  @Get()
  @Operation(WEBHOOK_OPERATIONS.listWebhooks)
  async list(@Caller() { keyId }: Caller): Promise<JsonResponse> {
    return readResponse(await this.webhooks.list(keyId));
  }

  @Post()
  @Operation(WEBHOOK_OPERATIONS.createWebhook)
  async create(@Caller() caller: Caller, @Body() body: NewWebhookDto): Promise<JsonResponse> {
    const { webhook, secret, location } = await this.webhooks.create(caller, body);
    return secretResponse(201, webhookWithSecretJson(webhook, secret), {
      Location: location,
      ETag: entityTag(webhookJson(webhook)),
    });
  }

  @Get(':webhookId')
  @Operation(WEBHOOK_OPERATIONS.getWebhook)
  async get(@Caller() caller: Caller, @Param('webhookId') webhookId: string): Promise<JsonResponse> {
    return readResponse(webhookJson(await this.webhooks.find(webhookOf(caller, webhookId))));
  }

  @Patch(':webhookId')
  @Operation(WEBHOOK_OPERATIONS.updateWebhook)
  async update(
    @Caller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @Body() body: WebhookPatchDto,
    @WritePrecondition() precondition: Precondition,
  ): Promise<JsonResponse> {
    const request = webhookOf(caller, webhookId);
    return changedResponse(webhookJson(await this.webhooks.update(request, caller, body, precondition)));
  }

  @Delete(':webhookId')
  @Operation(WEBHOOK_OPERATIONS.deleteWebhook)
  async delete(
    @Caller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @WritePrecondition() precondition: Precondition,
  ): Promise<EmptyResponse> {
    await this.webhooks.delete(webhookOf(caller, webhookId), precondition);
    return emptyResponse();
  }

  @Post(':webhookId/rotate-secret')
  @Operation(WEBHOOK_OPERATIONS.rotateWebhookSecret)
  async rotateSecret(
    @Caller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @Body() { overlapHours }: SecretRotationDto,
  ): Promise<JsonResponse> {
    const { webhook, secret } = await this.webhooks.rotateSecret(webhookOf(caller, webhookId), overlapHours);
    return secretResponse(200, webhookWithSecretJson(webhook, secret));
  }

  @Post(':webhookId/test')
  @Operation(DELIVERY_OPERATIONS.testWebhook)
  async test(@Caller() caller: Caller, @Param('webhookId') webhookId: string): Promise<JsonResponse> {
    const delivery = await this.deliveries.test(webhookOf(caller, webhookId));
    return acceptedResponse(deliveryJson(delivery));
  }

  @Get(':webhookId/deliveries')
  @Operation(DELIVERY_OPERATIONS.listDeliveries)
  async listDeliveries(
    @Caller() caller: Caller,
    // In this order: generators of clients make their arguments from it.
    @Query() query: ListDeliveriesQuery,
    @Param('webhookId') webhookId: string,
  ): Promise<JsonResponse> {
    return pageResponse(await this.deliveries.list(webhookOf(caller, webhookId), query));
  }

  @Post(':webhookId/deliveries/:deliveryId/redeliver')
  @Operation(DELIVERY_OPERATIONS.redeliver)
  async redeliver(
    @Caller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<JsonResponse> {
    const delivery = await this.deliveries.redeliver(webhookOf(caller, webhookId), deliveryId);
    return acceptedResponse(deliveryJson(delivery));
  }

  @Post(':webhookId/recover')
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
