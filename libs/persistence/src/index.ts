export { ListenNotifyBus } from './api-keys/listen-notify-bus.js';
export { KeyLookupStore } from './api-keys/key-lookup.store.js';
export { ApiKeyTables } from './api-keys/api-key-tables.js';
export { HISTORY_DAYS, KeyUsageCounters } from './api-keys/key-usage-counters.js';
export { CategoryRepository } from './categories/category.repository.js';
export { DatabaseStartError } from './connection/explain-start.js';
export { diskFullErrors } from './connection/database-errors.js';
export { Database } from './database/database.js';
export { DatabaseHealth, type DatabaseStatus } from './database/database-health.js';
export type { ReplicaState } from './database/read-replica.js';
export { EventFeed } from './events/event.feed.js';
export {
  type EventFeedStatus,
  EventMaintenance,
  type InventoryRecount,
  type RestartedEventFeed,
  SequencerBusyError,
} from './events/event.maintenance.js';
export { OutboxStore } from './events/outbox.store.js';
export {
  IDEMPOTENCY_TOKEN,
  type IdempotencyKey,
  RequestInProgressError,
  TokenReusedError,
} from './idempotency/idempotent-request.js';
export { PetInventoryStore } from './pets/pet-inventory.store.js';
export { OrderStore } from './orders/order.store.js';
export { addDescribedPets } from './pets/described-pets.js';
export type { DescribedPet } from './pets/insert-pets.js';
export type { ChangedPet } from './pets/pet.repository.js';
export { type ExportedPet, exportPets } from './pets/pet-export.js';
export { ImportBusyError, type ImportProgress, ImportTurn } from './pets/import-turn.js';
export {
  type DescribedSourcePet,
  PetSourceRepository,
  type SourcePet,
} from './pets/pet-source.repository.js';
export { PersistenceModule } from './persistence.module.js';
export { PetStore } from './pets/pet.store.js';
export { MAX_BACKLOG } from './sql/backlog.js';
export { removeOldRows, retentionRules } from './retention/retention.js';
export { Scheduler } from './scheduler/scheduler.js';
export type { Transaction } from './unit-of-work/transaction.js';
export { UnitOfWork } from './unit-of-work/unit-of-work.js';
export { DeliveryQueueStore } from './webhooks/delivery-queue.store.js';
export { DeliveryRepository } from './webhooks/delivery.repository.js';
export { DeliveryStore } from './webhooks/delivery.store.js';
export {
  UnknownWebhookError,
  type WebhookFilter,
  WebhookMaintenance,
} from './webhooks/webhook.maintenance.js';
export { WebhookRepository } from './webhooks/webhook.repository.js';
export { WebhookId, WebhookStatus } from '@petstore/webhook';
