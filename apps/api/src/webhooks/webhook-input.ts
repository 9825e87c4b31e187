import type { Caller } from '@petstore/api-key';
import { ApiError } from '@petstore/http-kernel';
import {
  type NewWebhook,
  type WebhookPatch,
  type WebhookTargets,
  WebhookTypes,
  WebhookUrl,
  type WebhookUrlFlaw,
} from '@petstore/webhook';
import { TYPES_PROPERTY } from './webhook.properties.js';
import type { NewWebhookDto, WebhookPatchDto } from './webhook-requests.dto.js';

/** What a valid body asks for, judged by the settings and by the scopes of the key. */
export const WebhookInput = {
  /** @throws {ApiError} `validation_failed` */
  toNewWebhook(
    { url, types, description }: NewWebhookDto,
    targets: WebhookTargets,
    caller: Caller,
  ): NewWebhook {
    return { url: permittedUrl(url, targets), types: permittedTypes(types, caller), description };
  },
  /** @throws {ApiError} `validation_failed` */
  toPatch(
    { url, types, description, status }: WebhookPatchDto,
    targets: WebhookTargets,
    caller: Caller,
  ): WebhookPatch {
    return {
      url: url === undefined ? undefined : permittedUrl(url, targets),
      types: types === null ? null : permittedTypes(types, caller),
      description,
      status,
    };
  },
} as const;

function permittedUrl(text: string, targets: WebhookTargets): WebhookUrl {
  const read = WebhookUrl.read(text, targets);
  if ('url' in read) return read.url;
  throw refused(`url must ${allowedBy(read.flaw, targets)}.`);
}

function allowedBy(flaw: WebhookUrlFlaw, { http }: WebhookTargets): string {
  const rules: Record<WebhookUrlFlaw, string> = {
    malformed: 'be a URL',
    too_long: `have at most ${WebhookUrl.MAX_LENGTH} characters, in its normalised form too`,
    protocol: http ? 'be an https or http URL' : 'be an https URL',
    credentials: 'not have a user name or password',
    fragment: 'not have a fragment',
    address: 'not name an address that is not public',
  };
  return rules[flaw];
}

function permittedTypes(json: unknown, { scopes }: Caller): readonly string[] | undefined {
  const types = TYPES_PROPERTY.rule.parse(json);
  const forbidden = types && WebhookTypes.firstForbidden(types, scopes);
  if (forbidden === undefined) return types;
  throw refused(
    `types has ${forbidden}, for which the key needs the scope ${WebhookTypes.neededScope(forbidden)}.`,
  );
}

function refused(message: string): ApiError {
  return new ApiError('validation_failed', { message });
}
