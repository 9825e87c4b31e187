export { PostgresApiKeyEventBus } from './api-key/postgres-api-key-event-bus.js';
export { PostgresApiKeyHashSource } from './api-key/postgres-api-key-hash.source.js';
export { PostgresApiKeyLookup } from './api-key/postgres-api-key-lookup.js';
export { PostgresApiKeyRepository } from './api-key/postgres-api-key.repository.js';
export { PostgresKeyUsageHistory } from './api-key/postgres-key-usage.history.js';
export { PostgresKeyUsageStore } from './api-key/postgres-key-usage.store.js';
export { PostgresCategoryStore } from './category/postgres-category.store.js';
export { DatabaseStartError } from './connection/database-start.error.js';
export { Database, openDatabase } from './database/database.js';
export { DatabaseConnection, type PoolStats } from './database/database-connection.js';
export { DatabaseHealth, type DatabaseStatus } from './database/database-health.js';
export type {
  EventFeedStatus,
  EventMaintenance,
  InventoryCorrection,
  InventoryRecount,
  RestartedEventFeed,
} from './event-maintenance/event-maintenance.js';
export { PostgresEventFeed } from './event/postgres-event.feed.js';
export { PostgresSequencingStore } from './event/postgres-sequencing.store.js';
export { SequencerBusyError } from './event-maintenance/sequencer-busy.error.js';
export { PostgresPetInventoryStore } from './inventory/postgres-pet-inventory.store.js';
export type { OrderRules } from './order/order-rules.js';
export { PostgresOrderStore } from './order/postgres-order.store.js';
export {
  PetImportBusyError,
  type PetImportPart,
  type PetImportProgress,
  type PetImports,
} from './pet-import/pet-imports.js';
export { PersistenceModule } from './persistence.module.js';
export type { PersistenceOptions } from './persistence.options.js';
export { PostgresPetStore } from './pet/postgres-pet.store.js';
export type { ScheduledJob } from './scheduler/scheduled-job.js';
export type { SchedulerLog } from './scheduler/job-runner.js';
export { Scheduler } from './scheduler/scheduler.js';
export {
  type IdempotencyKey,
  type IdempotentRequest,
  type IdempotentResult,
  type JsonValue,
  REMEMBERED_FOR_MS,
  type StoredAnswer,
} from './idempotency/idempotent-request.js';
export { PostgresIdempotencyStore } from './idempotency/postgres-idempotency.store.js';
export type { DataSourceSettings } from './schema/data-source.js';
export { PostgresDeliveryStore } from './webhook/postgres-delivery.store.js';
export { PostgresWebhookStore } from './webhook/postgres-webhook.store.js';
export {
  type DeliveryOverview,
  UnknownWebhookError,
  type WebhookDetails,
  type WebhookFilter,
  type WebhookMaintenance,
  type WebhookOverview,
} from './webhook-maintenance/webhook-maintenance.js';
export { PostgresDeliveryQueue } from './webhook/postgres-delivery.queue.js';
