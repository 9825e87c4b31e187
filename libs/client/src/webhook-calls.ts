import { type CallOptions, callSettings, preconditionsOf, type WriteOptions } from './client-options.js';
import { toInt64 } from './int64.js';
import { searchOf } from './search.js';
import type { Call } from './transport.js';
import type { ListDeliveries, NewWebhook, WebhookPatch } from './webhook.js';

const PATH = '/webhooks';

type Id = bigint | number;

/** Each operation on webhooks as the transport sends it. All throw a RangeError for an id that is not exact. */
export const WEBHOOK_CALLS = {
  list: (options: CallOptions): Call => ({
    operation: 'listWebhooks',
    method: 'GET',
    path: PATH,
    repeatable: true,
    ...callSettings(options),
  }),

  /** A repetition of one that was carried out is refused, because the URL is taken. */
  create: (webhook: NewWebhook, options: CallOptions): Call => ({
    operation: 'createWebhook',
    method: 'POST',
    path: PATH,
    body: webhook,
    repeatable: true,
    ...callSettings(options),
  }),

  get: (id: Id, options: CallOptions): Call => ({
    operation: 'getWebhook',
    method: 'GET',
    path: pathOf(id),
    repeatable: true,
    ...callSettings(options),
  }),

  update: (id: Id, patch: WebhookPatch, options: WriteOptions): Call => ({
    operation: 'updateWebhook',
    method: 'PATCH',
    path: pathOf(id),
    headers: preconditionsOf(options),
    body: patch,
    repeatable: true,
    ...callSettings(options),
  }),

  delete: (id: Id, options: WriteOptions): Call => ({
    operation: 'deleteWebhook',
    method: 'DELETE',
    path: pathOf(id),
    headers: preconditionsOf(options),
    hasNoContent: true,
    repeatable: true,
    ...callSettings(options),
  }),

  /** Never repeated: a second rotation ends the secret that receivers know. */
  rotateSecret: (id: Id, overlapHours: number | undefined, options: CallOptions): Call => ({
    operation: 'rotateWebhookSecret',
    method: 'POST',
    path: `${pathOf(id)}/rotate-secret`,
    ...(overlapHours !== undefined && { body: { overlapHours } }),
    repeatable: false,
    ...callSettings(options),
  }),

  test: (id: Id, options: CallOptions): Call => ({
    operation: 'testWebhook',
    method: 'POST',
    path: `${pathOf(id)}/test`,
    repeatable: true,
    ...callSettings(options),
  }),

  deliveries: (id: Id, query: ListDeliveries, options: CallOptions): Call => ({
    operation: 'listDeliveries',
    method: 'GET',
    path: `${pathOf(id)}/deliveries${searchOf(query)}`,
    repeatable: true,
    ...callSettings(options),
  }),

  redeliver: (id: Id, delivery: Id, options: CallOptions): Call => ({
    operation: 'redeliver',
    method: 'POST',
    path: `${pathOf(id)}/deliveries/${toInt64('delivery', delivery)}/redeliver`,
    repeatable: true,
    ...callSettings(options),
  }),

  recover: (id: Id, after: Id, options: CallOptions): Call => ({
    operation: 'recoverWebhook',
    method: 'POST',
    path: `${pathOf(id)}/recover`,
    body: { after: toInt64('after', after) },
    repeatable: true,
    ...callSettings(options),
  }),
};

function pathOf(id: Id): string {
  return `${PATH}/${toInt64('id', id)}`;
}
