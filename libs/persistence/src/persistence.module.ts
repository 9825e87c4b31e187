import { ConfigurableModuleBuilder, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { EventSignal } from '@petstore/event-feed';
import { DeliverySignal } from '@petstore/webhook';
import { EntityManager } from 'typeorm';
import { PostgresApiKeyEventBus } from './api-key/postgres-api-key-event-bus.js';
import { PostgresApiKeyHashSource } from './api-key/postgres-api-key-hash.source.js';
import { PostgresApiKeyLookup } from './api-key/postgres-api-key-lookup.js';
import { PostgresApiKeyRepository } from './api-key/postgres-api-key.repository.js';
import { PostgresKeyUsageHistory } from './api-key/postgres-key-usage.history.js';
import { PostgresKeyUsageStore } from './api-key/postgres-key-usage.store.js';
import { PostgresCategoryStore } from './category/postgres-category.store.js';
import { Turns } from './connection/turns.js';
import { DatabaseConnection } from './database/database-connection.js';
import { DatabaseHealth } from './database/database-health.js';
import { openConnections } from './database/open-connections.js';
import { eventRetention } from './event/event.retention.js';
import { PostgresEventFeed } from './event/postgres-event.feed.js';
import { PostgresSequencingStore } from './event/postgres-sequencing.store.js';
import { PostgresIdempotencyStore } from './idempotency/postgres-idempotency.store.js';
import { PostgresPetInventoryStore } from './inventory/postgres-pet-inventory.store.js';
import { ORDER_RULES } from './order/order-rules.js';
import { PostgresOrderStore } from './order/postgres-order.store.js';
import type { PersistenceOptions } from './persistence.options.js';
import { PostgresPetStore } from './pet/postgres-pet.store.js';
import { Pipelines } from './pipeline/pipelines.js';
import { retentionJobs } from './retention/retention-jobs.js';
import { PostgresJobLeaseStore } from './scheduler/postgres-job-lease.store.js';
import { Scheduler } from './scheduler/scheduler.js';
import { RETENTION_RULES } from './schema/resources.js';
import { BACKGROUND_WORK } from './unit-of-work/background-work.js';
import { PostgresUnitOfWork } from './unit-of-work/postgres-unit-of-work.js';
import { PostgresDeliveryStore } from './webhook/postgres-delivery.store.js';
import { PostgresWebhookStore } from './webhook/postgres-webhook.store.js';
import { deliveryRetention } from './webhook/webhook.retention.js';
import { PostgresDeliveryQueue } from './webhook/postgres-delivery.queue.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<PersistenceOptions>()
  .setClassMethodName('forRoot')
  .build();

/** The stores: each is provided by its class, and implements a port of a domain. */
const STORES = [
  PostgresPetStore,
  PostgresPetInventoryStore,
  PostgresCategoryStore,
  PostgresOrderStore,
  PostgresEventFeed,
  PostgresSequencingStore,
  PostgresDeliveryQueue,
  PostgresApiKeyLookup,
  PostgresApiKeyHashSource,
  PostgresApiKeyRepository,
  PostgresKeyUsageStore,
  PostgresKeyUsageHistory,
  PostgresWebhookStore,
  PostgresDeliveryStore,
];

/**
 * Connects to PostgreSQL, brings the schema up to date, and provides the stores, {@link DatabaseHealth},
 * {@link DatabaseConnection} (its `poolStats()`) and the {@link Scheduler}.
 *
 * Unless told otherwise, the scheduler starts when all modules have registered their jobs (`OnApplicationBootstrap`), and stops in
 * `BeforeApplicationShutdown`; the connections are closed in `OnApplicationShutdown`.
 */
@Module({
  providers: [
    {
      provide: DatabaseConnection,
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: connect,
    },
    {
      provide: EntityManager,
      inject: [DatabaseConnection],
      useFactory: ({ manager }: DatabaseConnection) => manager,
    },
    {
      provide: Pipelines,
      inject: [DatabaseConnection],
      useFactory: ({ pipelines }: DatabaseConnection) => pipelines,
    },
    {
      provide: Turns,
      inject: [DatabaseConnection],
      useFactory: ({ turns }: DatabaseConnection) => turns,
    },
    {
      provide: PostgresApiKeyEventBus,
      inject: [DatabaseConnection],
      useFactory: ({ manager, url }: DatabaseConnection) => new PostgresApiKeyEventBus(manager, url),
    },
    {
      provide: PostgresUnitOfWork,
      inject: [DatabaseConnection],
      useFactory: ({ unitOfWork }: DatabaseConnection) => unitOfWork,
    },
    {
      provide: BACKGROUND_WORK,
      inject: [DatabaseConnection],
      useFactory: ({ backgroundWork }: DatabaseConnection) => backgroundWork,
    },
    {
      provide: ORDER_RULES,
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: ({ orders }: PersistenceOptions) => orders,
    },
    EventSignal,
    DeliverySignal,
    {
      provide: PostgresIdempotencyStore,
      inject: [PostgresUnitOfWork, Pipelines],
      useFactory: (unitOfWork: PostgresUnitOfWork, pipelines: Pipelines) =>
        new PostgresIdempotencyStore(unitOfWork, pipelines),
    },
    ...STORES,
    DatabaseHealth,
    PostgresJobLeaseStore,
    {
      provide: Scheduler,
      inject: [PostgresJobLeaseStore, MODULE_OPTIONS_TOKEN],
      useFactory: (leases: PostgresJobLeaseStore, { log, runsJobs }: PersistenceOptions) =>
        new Scheduler(leases, log, runsJobs),
    },
  ],
  exports: [
    DatabaseConnection,
    EntityManager,
    PostgresApiKeyEventBus,
    PostgresUnitOfWork,
    PostgresIdempotencyStore,
    ...STORES,
    DatabaseHealth,
    EventSignal,
    DeliverySignal,
    Scheduler,
  ],
})
export class PersistenceModule extends ConfigurableModuleClass implements OnModuleInit {
  constructor(
    @Inject(EntityManager) private readonly manager: EntityManager,
    @Inject(Scheduler) private readonly scheduler: Scheduler,
    @Inject(MODULE_OPTIONS_TOKEN) private readonly options: PersistenceOptions,
  ) {
    super();
  }

  onModuleInit(): void {
    const { eventRetentionDays } = this.options;
    const rules = [
      ...RETENTION_RULES,
      eventRetention(eventRetentionDays),
      deliveryRetention(eventRetentionDays),
    ];
    for (const job of retentionJobs(this.manager, rules)) this.scheduler.register(job);
  }
}

async function connect({ database, migrated }: PersistenceOptions): Promise<DatabaseConnection> {
  const connection = new DatabaseConnection(await openConnections(database));
  try {
    const names = await connection.migrate();
    if (names.length > 0) migrated?.(names);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}
