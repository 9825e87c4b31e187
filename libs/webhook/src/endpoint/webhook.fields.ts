import {
  described,
  type Fields,
  FreeText,
  INSTANT,
  jsonTextOf,
  optional,
  stringEnum,
  text,
} from '@petstore/pet-domain';
import { WebhookSecret } from '../secret/webhook-secret.js';
import { type Webhook, WebhookId, WebhookStatus } from './webhook.js';
import { WebhookTypes } from './webhook-types.js';
import { WebhookUrl } from './webhook-url.js';

type Required = Pick<Webhook, 'id' | 'status' | 'createdAt'>;
type Optional = Partial<Pick<Webhook, 'types' | 'description' | 'disabledReason' | 'failingSince'>>;

/** What is shown of an endpoint. */
export interface ShownWebhook extends Required, Optional {
  readonly url: string;
}

/** All fields of an endpoint, in the order of its JSON. */
export const WEBHOOK_FIELDS: Fields<ShownWebhook> = {
  id: described(WebhookId, 'Assigned by the service; a later webhook has a greater one.', 3),
  url: described(
    // As it is given: which ones are allowed depends on settings, see `WebhookUrl.read`.
    text<string>({
      kind: 'text',
      description: 'a URL',
      parse: (sent) => sent,
      schema: { format: 'uri', minLength: 1, maxLength: WebhookUrl.MAX_LENGTH },
    }),
    'Where events are delivered to: an `https` URL without credentials and fragment. It is kept in its normalised form (WHATWG URL).',
    'https://shop.example/petstore',
  ),
  types: optional(
    described(
      WebhookTypes,
      'Types of events that are delivered, or `pet.*`, `category.*`, `order.*` for all of a kind, those that are added later included. Absent: all that the scopes of the key allow.',
      ['pet.updated', 'order.*'],
    ),
  ),
  description: optional(described(FreeText, 'For people.', 'The web shop.')),
  status: described(
    WebhookStatus,
    'Whether events are delivered. To enable a webhook ends `disabledReason` and `failingSince`; what was still to be delivered to one that is disabled has failed.',
    'enabled',
  ),
  disabledReason: optional(
    described(
      stringEnum('failing', 'gone'),
      'Why the service has disabled it: `failing` when every attempt has failed for five days, `gone` when the endpoint responded with 410. Absent when it was disabled by hand.',
      'failing',
    ),
  ),
  failingSince: optional(
    described(INSTANT, 'Since when every attempt has failed, in UTC; absent when the last one has not.'),
  ),
  createdAt: described(INSTANT, 'When it was added, in UTC.'),
};

/** An endpoint as the API returns it. */
export const webhookJson: (webhook: ShownWebhook) => string = jsonTextOf<ShownWebhook>(WEBHOOK_FIELDS);

interface WebhookWithSecret extends ShownWebhook {
  readonly secret: WebhookSecret;
}

/** The same with a new secret, which is shown once. */
export const WEBHOOK_WITH_SECRET_FIELDS: Fields<WebhookWithSecret> = {
  ...WEBHOOK_FIELDS,
  secret: described(
    WebhookSecret.TEXT,
    'What deliveries are signed with (Standard Webhooks); it is shown here and never again.',
    'whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=',
  ),
};

const withSecretJson = jsonTextOf<WebhookWithSecret>(WEBHOOK_WITH_SECRET_FIELDS);

export function webhookWithSecretJson(webhook: ShownWebhook, secret: WebhookSecret): string {
  return withSecretJson(Object.assign({ secret }, webhook));
}
