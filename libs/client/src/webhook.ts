import type { components, operations } from './contract.generated.js';

type Schemas = components['schemas'];

/** An endpoint of the key that events are delivered to. Times are RFC 3339 texts in UTC. */
export type Webhook = Readonly<Schemas['Webhook']>;

/** A webhook with a new secret, which is never shown again. */
export type WebhookWithSecret = Readonly<Schemas['WebhookWithSecret']>;

/** A webhook to be added. */
export type NewWebhook = Readonly<Schemas['NewWebhook']>;

/** What is to change of a webhook; `null` takes `types` or `description` away. */
export type WebhookPatch = Readonly<Schemas['WebhookPatch']>;

/** One event for one webhook. */
export type WebhookDelivery = Readonly<Schemas['WebhookDelivery']>;

/** What a recovery has made due; with `next` it ended before the end of the feed. */
export type Recovery = Readonly<Schemas['Recovery']>;

type ListQuery = NonNullable<operations['listDeliveries']['parameters']['query']>;

/** Parameters of a list of deliveries. */
export type ListDeliveries = { readonly [Name in keyof ListQuery]?: ListQuery[Name] | undefined };

/** One page of a list of deliveries, newest first. */
export interface DeliveryPage {
  readonly deliveries: readonly WebhookDelivery[];
  /** Give it to the next call as `cursor`, with the same `status`; `undefined` on the last page. */
  readonly next: string | undefined;
}
