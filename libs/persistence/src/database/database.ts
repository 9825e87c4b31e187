import type {
  ApiKeyHashSource,
  ApiKeyRepository,
  ApiKeyEventBus,
  KeyLookup,
  KeyUsageStore,
} from '@petstore/api-key';
import { type EventFeed, EventSignal, type SequencingStore } from '@petstore/event-feed';
import type { OrderStore } from '@petstore/order-domain';
import type { CategoryStore, PetInventoryStore, PetStore } from '@petstore/pet-domain';
import { type DeliveryQueue, DeliverySignal, type DeliveryStore, type WebhookStore } from '@petstore/webhook';
import { PostgresApiKeyEventBus } from '../api-key/postgres-api-key-event-bus.js';
import { PostgresApiKeyHashSource } from '../api-key/postgres-api-key-hash.source.js';
import { PostgresApiKeyLookup } from '../api-key/postgres-api-key-lookup.js';
import { PostgresApiKeyRepository } from '../api-key/postgres-api-key.repository.js';
import { PostgresKeyUsageStore } from '../api-key/postgres-key-usage.store.js';
import type { EventMaintenance } from '../event-maintenance/event-maintenance.js';
import { PostgresEventFeed } from '../event/postgres-event.feed.js';
import { PostgresEventMaintenance } from '../event-maintenance/postgres-event-maintenance.js';
import { PostgresSequencingStore } from '../event/postgres-sequencing.store.js';
import { PostgresCategoryStore } from '../category/postgres-category.store.js';
import { PostgresIdempotencyStore } from '../idempotency/postgres-idempotency.store.js';
import { PostgresPetInventoryStore } from '../inventory/postgres-pet-inventory.store.js';
import type { OrderRules } from '../order/order-rules.js';
import { PostgresOrderStore } from '../order/postgres-order.store.js';
import type { PetImports } from '../pet-import/pet-imports.js';
import { PostgresPetImports } from '../pet-import/postgres-pet-imports.js';
import { PostgresPetStore } from '../pet/postgres-pet.store.js';
import { retentionJobs } from '../retention/retention-jobs.js';
import type { SchedulerLog } from '../scheduler/job-runner.js';
import { PostgresJobLeaseStore } from '../scheduler/postgres-job-lease.store.js';
import { Scheduler } from '../scheduler/scheduler.js';
import type { DataSourceSettings } from '../schema/data-source.js';
import { RETENTION_RULES } from '../schema/resources.js';
import { PostgresDeliveryStore } from '../webhook/postgres-delivery.store.js';
import { PostgresWebhookStore } from '../webhook/postgres-webhook.store.js';
import { PostgresDeliveryQueue } from '../webhook/postgres-delivery.queue.js';
import { PostgresWebhookMaintenance } from '../webhook-maintenance/postgres-webhook-maintenance.js';
import type { WebhookMaintenance } from '../webhook-maintenance/webhook-maintenance.js';
import { DatabaseConnection, type DatabaseParts } from './database-connection.js';
import { openConnections } from './open-connections.js';

/** The database with all its stores, for programs that are no Nest application. */
export class Database extends DatabaseConnection {
  readonly pets: PetStore;
  readonly petInventory: PetInventoryStore;
  readonly categories: CategoryStore;
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  /** For operators. */
  readonly webhookMaintenance: WebhookMaintenance;
  readonly eventFeed: EventFeed;
  readonly sequencing: SequencingStore;
  /** For operators. */
  readonly eventMaintenance: EventMaintenance;
  readonly petImports: PetImports;
  /** Requests that are carried out once. */
  readonly idempotency: PostgresIdempotencyStore;
  /** Raised after each commit with events. */
  readonly eventSignal = new EventSignal();
  /** Raised after each commit with deliveries that are due. */
  readonly deliverySignal = new DeliverySignal();
  /** Deliveries of webhooks, for those who send them. */
  readonly deliveryQueue: DeliveryQueue;
  /** Keys for operators. */
  readonly apiKeys: ApiKeyRepository;
  /** Keys for the guard. */
  readonly keyLookup: KeyLookup;
  /** Hashes of keys for the guard's filter. */
  readonly keyHashes: ApiKeyHashSource;
  readonly keyUsage: KeyUsageStore;

  constructor(parts: DatabaseParts) {
    super(parts);
    const { manager } = this;
    this.pets = new PostgresPetStore(this.pipelines, this.unitOfWork, this.eventSignal);
    this.petInventory = new PostgresPetInventoryStore(this.pipelines);
    this.categories = new PostgresCategoryStore(this.pipelines, this.unitOfWork, this.eventSignal);
    this.webhooks = new PostgresWebhookStore(this.pipelines, this.unitOfWork);
    this.deliveries = new PostgresDeliveryStore(this.pipelines, this.unitOfWork, this.deliverySignal);
    this.webhookMaintenance = new PostgresWebhookMaintenance(this.unitOfWork);
    this.eventFeed = new PostgresEventFeed(this.pipelines);
    this.sequencing = new PostgresSequencingStore(this.backgroundWork, this.deliverySignal);
    this.deliveryQueue = new PostgresDeliveryQueue(this.backgroundWork);
    this.petImports = new PostgresPetImports(this.unitOfWork, this.eventSignal);
    this.idempotency = new PostgresIdempotencyStore(this.unitOfWork, this.pipelines);
    this.eventMaintenance = new PostgresEventMaintenance(parts.settings);
    this.apiKeys = new PostgresApiKeyRepository(manager);
    this.keyLookup = new PostgresApiKeyLookup(manager);
    this.keyHashes = new PostgresApiKeyHashSource(manager);
    this.keyUsage = new PostgresKeyUsageStore(manager);
  }

  /** Notifies other processes of changes of keys, where there is no Redis to do so. For the caller to close. */
  apiKeyEventBus(): ApiKeyEventBus {
    return new PostgresApiKeyEventBus(this.manager, this.url);
  }

  /** Orders under these rules. */
  orders(rules: OrderRules): OrderStore {
    return new PostgresOrderStore(
      this.pipelines,
      this.unitOfWork,
      this.backgroundWork,
      this.eventSignal,
      rules,
      this.turns,
    );
  }

  /** Regular work, removal of old rows included. For the caller to start, and to stop. */
  scheduler(log: SchedulerLog): Scheduler {
    const scheduler = new Scheduler(new PostgresJobLeaseStore(this.manager), log);
    for (const job of retentionJobs(this.manager, RETENTION_RULES)) scheduler.register(job);
    return scheduler;
  }
}

/**
 * Connects to the database and checks that the service can use it.
 *
 * @throws {DatabaseStartError} see {@link openConnections}
 */
export async function openDatabase(settings: DataSourceSettings): Promise<Database> {
  return new Database(await openConnections(settings));
}
