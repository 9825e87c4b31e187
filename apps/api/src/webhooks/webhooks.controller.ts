import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { type EmptyResponse, entityTag, type JsonResponse } from '@petstore/http-server';
import { Caller } from '../access/caller.decorator.js';
import { type Precondition, WritePrecondition } from '../operations/precondition.decorator.js';
import { Operation, Resource } from '../operations/declare-operation.js';
import { changedResponse, emptyResponse, readResponse, secretResponse } from '../operations/responses.js';
import { NewWebhookDto, SecretRotationDto, WebhookPatchDto } from './webhook.dto.js';
import { WEBHOOK_ERRORS } from './webhook.errors.js';
import { FAILING, MANAGED, MANAGED_ONE, SHOP, SHOP_WITH_SECRET, WEBHOOKS } from './webhooks.docs.js';
import { webhookOf, WebhooksService } from './webhooks.service.js';

/** The operations on webhooks (docs/contract.md, "Webhooks"). */
@Controller('v1/webhooks')
@Resource(WEBHOOKS)
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get()
  @Operation({
    ...MANAGED,
    id: 'listWebhooks',
    summary: 'List webhooks',
    description: 'Returns all webhooks of the key, newest first; there are never more than 10.',
    isConditional: true,
    success: {
      status: 200,
      description: 'All webhooks of the key.',
      schema: 'Webhooks',
      example: [FAILING],
    },
  })
  async list(@Caller() { keyId }: Caller): Promise<JsonResponse> {
    return readResponse(await this.webhooks.list(keyId));
  }

  @Post()
  @Operation({
    ...MANAGED,
    id: 'createWebhook',
    summary: 'Add a webhook',
    description:
      'Adds an endpoint that events are delivered to from now on. The response has the secret that they are signed with, which is shown only once. To send the request again is safe: the second one is 409 `webhook_url_taken`; if the secret was lost with the first response, rotate it.',
    body: {
      dto: NewWebhookDto,
      description: 'Where events are delivered to, and which; unknown members are ignored.',
      examples: {
        newWebhook: {
          summary: 'All events of animals.',
          value: { url: SHOP.url, types: SHOP.types, description: SHOP.description },
        },
      },
    },
    success: {
      status: 201,
      description: 'The webhook with its secret. The `ETag` is that of the webhook without the secret.',
      schema: 'WebhookWithSecret',
      example: SHOP_WITH_SECRET,
    },
    errors: [WEBHOOK_ERRORS.webhook_url_taken, WEBHOOK_ERRORS.webhook_limit_reached],
  })
  async create(@Caller() caller: Caller, @Body() body: NewWebhookDto): Promise<JsonResponse> {
    const { json, secret, location } = await this.webhooks.create(caller, body);
    return secretResponse(201, withSecret(json, secret), { Location: location, ETag: entityTag(json) });
  }

  @Get(':webhookId')
  @Operation({
    ...MANAGED_ONE,
    id: 'getWebhook',
    summary: 'Get a webhook',
    description: 'Returns a single webhook. A webhook of another key is 404.',
    isConditional: true,
    success: { status: 200, description: 'The webhook.', schema: 'Webhook', example: SHOP },
    errors: [WEBHOOK_ERRORS.webhook_not_found],
  })
  async get(@Caller() caller: Caller, @Param('webhookId') webhookId: string): Promise<JsonResponse> {
    return readResponse(await this.webhooks.find(webhookOf(caller, webhookId)));
  }

  @Patch(':webhookId')
  @Operation({
    ...MANAGED_ONE,
    id: 'updateWebhook',
    summary: 'Change a webhook',
    description:
      'Changes those members that the body has, all of them or none (JSON Merge Patch, RFC 7396). A patch that changes nothing is no error.',
    isGuarded: true,
    body: {
      dto: WebhookPatchDto,
      description:
        'The members to change; unknown ones are ignored. `null` takes `types` or `description` away.',
      examples: {
        enable: { summary: 'Deliver again.', value: { status: 'enabled' } },
        allTypes: { summary: 'Deliver all events.', value: { types: null } },
      },
    },
    success: { status: 200, description: 'The webhook as it is now.', schema: 'Webhook', example: SHOP },
    errors: [WEBHOOK_ERRORS.webhook_not_found, WEBHOOK_ERRORS.webhook_url_taken],
  })
  async update(
    @Caller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @Body() body: WebhookPatchDto,
    @WritePrecondition() precondition: Precondition,
  ): Promise<JsonResponse> {
    return changedResponse(await this.webhooks.update(caller, webhookId, body, precondition));
  }

  @Delete(':webhookId')
  @HttpCode(204)
  @Operation({
    ...MANAGED_ONE,
    id: 'deleteWebhook',
    summary: 'Remove a webhook',
    description:
      'Removes a webhook with its secrets and deliveries; an attempt under way is not called back.',
    isGuarded: true,
    success: { status: 204, description: 'The webhook has been removed.' },
    errors: [WEBHOOK_ERRORS.webhook_not_found],
  })
  async delete(
    @Caller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @WritePrecondition() precondition: Precondition,
  ): Promise<EmptyResponse> {
    await this.webhooks.delete(webhookOf(caller, webhookId), precondition);
    return emptyResponse();
  }

  @Post(':webhookId/rotate-secret')
  @HttpCode(200)
  @Operation({
    ...MANAGED_ONE,
    id: 'rotateWebhookSecret',
    summary: 'Replace the secret',
    description:
      'Deliveries are signed with a new secret from now on, and during the overlap with the one before, too. The one before that ends at once: do not send this request again unless the new secret was lost.',
    body: {
      dto: SecretRotationDto,
      description: 'May be left out, and then no `Content-Type` is needed. Unknown members are ignored.',
      examples: { atOnce: { summary: 'The secret has leaked.', value: { overlapHours: 0 } } },
    },
    success: {
      status: 200,
      description: 'The webhook with its new secret, which is shown only once.',
      schema: 'WebhookWithSecret',
      example: SHOP_WITH_SECRET,
    },
    errors: [WEBHOOK_ERRORS.webhook_not_found],
  })
  async rotateSecret(
    @Caller() caller: Caller,
    @Param('webhookId') webhookId: string,
    @Body() { overlapHours }: SecretRotationDto,
  ): Promise<JsonResponse> {
    const { json, secret } = await this.webhooks.rotateSecret(webhookOf(caller, webhookId), overlapHours);
    return secretResponse(200, withSecret(json, secret));
  }
}

/** The JSON of a webhook with its secret as the last member; nothing in one needs an escape. */
function withSecret(json: string, secret: string): string {
  return `${json.slice(0, -1)},"secret":"${secret}"}`;
}
