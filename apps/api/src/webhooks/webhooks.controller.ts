import { Param } from '@nestjs/common';
import { EmptyResponse, entityTag, JsonResponse } from '@petstore/http-kernel';
import { JsonBody, OptionalJsonBody } from '@petstore/http-server';
import {
  patchWebhook,
  SecretSealer,
  WebhookLimitReachedError,
  WebhookSecret,
  WebhookTargets,
  WebhookUrlTakenError,
} from '@petstore/webhook';
import { WebhookStore } from '@petstore/persistence';
import { Caller } from '../access/caller.decorator.js';
import { ContractController } from '../operations/contract-controller.decorator.js';
import { changedResponse, PRIVATE_RESPONSE, readResponse } from '../operations/contract-responses.js';
import { IfMatch, type Precondition } from '../operations/if-match.decorator.js';
import { ContractOperation } from '../operations/operation.decorator.js';
import { Refusals } from '../operations/refusals.js';
import { WEBHOOK_ERRORS } from './webhook.errors.js';
import { WebhookInput } from './webhook-input.js';
import { WebhookLinks } from './webhook-links.js';
import { required, webhookOf } from './requested-webhook.js';
import { NewWebhookDto, SecretRotationDto, WebhookPatchDto } from './webhook-requests.dto.js';
import {
  CREATE_WEBHOOK,
  DELETE_WEBHOOK,
  GET_WEBHOOK,
  LIST_WEBHOOKS,
  ROTATE_WEBHOOK_SECRET,
  UPDATE_WEBHOOK,
} from './webhooks.operations.js';
import { WEBHOOKS_RESOURCE } from './webhooks.resource.js';

/** Of responses with a secret, which no cache may keep. */
const SECRET_RESPONSE = { ...PRIVATE_RESPONSE, 'Cache-Control': 'no-store' };

const REFUSALS = new Refusals([
  [WebhookLimitReachedError, WEBHOOK_ERRORS.webhook_limit_reached],
  [WebhookUrlTakenError, WEBHOOK_ERRORS.webhook_url_taken],
]);

/** The operations on webhooks (docs/contract.md, "Webhooks"). */
@ContractController(WEBHOOKS_RESOURCE)
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhookStore,
    private readonly links: WebhookLinks,
    private readonly targets: WebhookTargets,
    private readonly sealer: SecretSealer,
  ) {}

  @ContractOperation(LIST_WEBHOOKS)
  async list(@Caller() { keyId }: Caller): Promise<JsonResponse> {
    return readResponse(await this.webhooks.list(keyId));
  }

  @ContractOperation(CREATE_WEBHOOK)
  async create(
    @Caller() caller: Caller,
    @JsonBody(NewWebhookDto) body: NewWebhookDto,
  ): Promise<JsonResponse> {
    const wanted = WebhookInput.toNewWebhook(body, this.targets, caller);
    const secret = WebhookSecret.generate();
    const { id, json } = await REFUSALS.of(this.webhooks.add(wanted, caller.keyId, this.sealer.seal(secret)));
    return JsonResponse.created(withSecret(json, secret), {
      ...SECRET_RESPONSE,
      Location: this.links.webhook(id),
      ETag: entityTag(json),
    });
  }

  @ContractOperation(GET_WEBHOOK)
  async get(@Caller() caller: Caller, @Param('webhookId') id: string): Promise<JsonResponse> {
    return readResponse(required(await this.webhooks.find(webhookOf(caller, id))));
  }

  @ContractOperation(UPDATE_WEBHOOK)
  async update(
    @Caller() caller: Caller,
    @Param('webhookId') id: string,
    @IfMatch() precondition: Precondition,
    @JsonBody(WebhookPatchDto) body: WebhookPatchDto,
  ): Promise<JsonResponse> {
    const patch = WebhookInput.toPatch(body, this.targets, caller);
    const json = await REFUSALS.of(
      this.webhooks.change(webhookOf(caller, id), (current, currentJson) => {
        precondition.requireFor(currentJson);
        return patchWebhook(current, patch);
      }),
    );
    return changedResponse(required(json));
  }

  @ContractOperation(DELETE_WEBHOOK)
  async delete(
    @Caller() caller: Caller,
    @Param('webhookId') id: string,
    @IfMatch() precondition: Precondition,
  ): Promise<EmptyResponse> {
    const wasThere = await this.webhooks.remove(webhookOf(caller, id), precondition.requireFor);
    required(wasThere || undefined);
    return new EmptyResponse(PRIVATE_RESPONSE);
  }

  @ContractOperation(ROTATE_WEBHOOK_SECRET)
  async rotateSecret(
    @Caller() caller: Caller,
    @Param('webhookId') id: string,
    @OptionalJsonBody(SecretRotationDto) body: SecretRotationDto,
  ): Promise<JsonResponse> {
    const secret = WebhookSecret.generate();
    const json = await this.webhooks.rotateSecret(
      webhookOf(caller, id),
      this.sealer.seal(secret),
      SecretRotationDto.toHours(body),
    );
    return JsonResponse.ok(withSecret(required(json), secret), SECRET_RESPONSE);
  }
}

/** The JSON of a webhook with its secret as the last member; nothing in one needs an escape. */
function withSecret(json: string, secret: WebhookSecret): string {
  return `${json.slice(0, -1)},"secret":"${secret}"}`;
}
