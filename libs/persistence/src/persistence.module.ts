import { ConfigurableModuleBuilder, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { EventNotifier } from '@petstore/event-feed';
import { DeliveryNotifier } from '@petstore/webhook';
import { EntityManager } from 'typeorm';
import { ListenNotifyBus } from './api-keys/listen-notify-bus.js';
import { KeyLookupStore } from './api-keys/key-lookup.store.js';
import { ApiKeyTables } from './api-keys/api-key-tables.js';
import { KeyUsageCounters } from './api-keys/key-usage-counters.js';
import { Database } from './database/database.js';
import { DatabaseHealth } from './database/database-health.js';
import { EventFeed } from './events/event.feed.js';
import { OutboxStore } from './events/outbox.store.js';
import { PetInventoryStore } from './pets/pet-inventory.store.js';
import { OrderStore } from './orders/order.store.js';
import { PetStore } from './pets/pet.store.js';
import { retentionJobs } from './retention/retention.js';
import { Scheduler, type SchedulerLog } from './scheduler/scheduler.js';
import type { DataSourceSettings } from './schema/data-source.js';
import { UnitOfWork } from './unit-of-work/unit-of-work.js';
import { DeliveryQueueStore } from './webhooks/delivery-queue.store.js';
import { DeliveryStore } from './webhooks/delivery.store.js';

/** Options of {@link PersistenceModule}. */
export interface PersistenceOptions {
  readonly database: DataSourceSettings;
  readonly log: SchedulerLog;
  /** How long events are kept, in days; fractions are allowed. */
  readonly eventRetentionDays: number;
  /** Whether the scheduled jobs run in this process. */
  readonly runsJobs: boolean;
  /** Called with the migrations that were needed, if any. */
  readonly migrated?: (names: readonly string[]) => void;
}

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<PersistenceOptions>()
  .setClassMethodName('forRoot')
  .build();

const EXPORTED = [
  UnitOfWork,
  PetStore,
  PetInventoryStore,
  OrderStore,
  EventFeed,
  OutboxStore,
  DeliveryQueueStore,
  KeyLookupStore,
  ApiKeyTables,
  ListenNotifyBus,
  KeyUsageCounters,
  DeliveryStore,
  DatabaseHealth,
  EventNotifier,
  DeliveryNotifier,
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
    {
      provide: Scheduler,
      inject: [EntityManager, MODULE_OPTIONS_TOKEN],
      useFactory: (manager: EntityManager, { log, runsJobs }: PersistenceOptions) =>
        new Scheduler(manager, log, runsJobs),
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
    for (const job of retentionJobs(this.manager, this.options.eventRetentionDays))
      this.scheduler.register(job);
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
