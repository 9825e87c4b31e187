import { ConfigurableModuleBuilder, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { EventSignal } from '@petstore/event-feed';
import { DeliverySignal } from '@petstore/webhook';
import { EntityManager } from 'typeorm';
import { PostgresApiKeyEventBus } from './api-keys/postgres-api-key-event-bus.js';
import { PostgresApiKeyLookup } from './api-keys/postgres-api-key-lookup.js';
import { PostgresApiKeyRepository } from './api-keys/postgres-api-key.repository.js';
import { PostgresKeyUsageHistory } from './api-keys/postgres-key-usage.history.js';
import { PostgresKeyUsageStore } from './api-keys/postgres-key-usage.store.js';
import { CategoryStore } from './categories/category.store.js';
import { Database } from './database/database.js';
import { DatabaseHealth } from './database/database-health.js';
import { EventFeed } from './events/event.feed.js';
import { OutboxStore } from './events/outbox.store.js';
import { IdempotencyStore } from './idempotency/idempotency.store.js';
import { PetInventoryStore } from './inventory/pet-inventory.store.js';
import { OrderStore } from './orders/order.store.js';
import type { PersistenceOptions } from './persistence.options.js';
import { PetStore } from './pets/pet.store.js';
import { retentionJobs } from './retention/retention-jobs.js';
import { retentionRules } from './retention/retention-rules.js';
import { PostgresJobLeaseStore } from './scheduler/postgres-job-lease.store.js';
import { Scheduler } from './scheduler/scheduler.js';
import { UnitOfWork } from './unit-of-work/unit-of-work.js';
import { DeliveryQueueStore } from './webhooks/delivery-queue.store.js';
import { DeliveryStore } from './webhooks/delivery.store.js';
import { WebhookStore } from './webhooks/webhook.store.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<PersistenceOptions>()
  .setClassMethodName('forRoot')
  .build();

const EXPORTED = [
  UnitOfWork,
  IdempotencyStore,
  PetStore,
  PetInventoryStore,
  CategoryStore,
  OrderStore,
  EventFeed,
  OutboxStore,
  DeliveryQueueStore,
  PostgresApiKeyLookup,
  PostgresApiKeyRepository,
  PostgresApiKeyEventBus,
  PostgresKeyUsageStore,
  PostgresKeyUsageHistory,
  WebhookStore,
  DeliveryStore,
  DatabaseHealth,
  EventSignal,
  DeliverySignal,
];

/**
 * Connects to PostgreSQL, brings the schema up to date, and provides the stores, {@link UnitOfWork}, the
 * {@link Scheduler}, {@link DatabaseHealth} and the {@link Database} itself (its `poolStats()`).
 *
 * Unless told otherwise, the scheduler starts when all modules have registered their jobs (`OnApplicationBootstrap`), and
 * stops in `BeforeApplicationShutdown`; the connections are closed in `OnApplicationShutdown`.
 */
@Module({
  providers: [
    { provide: Database, inject: [MODULE_OPTIONS_TOKEN], useFactory: connect },
    { provide: EntityManager, inject: [Database], useFactory: ({ manager }: Database) => manager },
    ...EXPORTED,
    PostgresJobLeaseStore,
    {
      provide: Scheduler,
      inject: [PostgresJobLeaseStore, MODULE_OPTIONS_TOKEN],
      useFactory: (leases: PostgresJobLeaseStore, { log, runsJobs }: PersistenceOptions) =>
        new Scheduler(leases, log, runsJobs),
    },
  ],
  exports: [Database, EntityManager, Scheduler, ...EXPORTED],
})
export class PersistenceModule extends ConfigurableModuleClass implements OnModuleInit {
  constructor(
    private readonly manager: EntityManager,
    private readonly scheduler: Scheduler,
    @Inject(MODULE_OPTIONS_TOKEN) private readonly options: PersistenceOptions,
  ) {
    super();
  }

  onModuleInit(): void {
    const rules = retentionRules(this.options.eventRetentionDays);
    for (const job of retentionJobs(this.manager, rules)) this.scheduler.register(job);
  }
}

async function connect({ database: settings, migrated }: PersistenceOptions): Promise<Database> {
  const database = await Database.open(settings);
  try {
    const names = await database.migrate();
    if (names.length > 0) migrated?.(names);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
