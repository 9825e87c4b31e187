import { type BeforeApplicationShutdown, Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { EventNotifier, EventSequencer } from '@petstore/event-feed';
import { OutboxStore } from '@petstore/persistence';
import { type Log, LOG } from '../logging/log.js';
import { TelemetryModule } from '../observability/telemetry.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { STORAGE_SETTINGS, type StorageSettings } from '../storage/storage.settings.js';
import { EventMetrics } from './event-metrics.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';

/**
 * The feed of everything that happens. The sequencer runs while the application does, unless the work is left to other
 * instances; it has stopped before the connections to the database are closed (`OnApplicationShutdown`).
 */
@Module({
  imports: [StorageModule, TelemetryModule],
  controllers: [EventsController],
  providers: [
    EventsService,
    EventMetrics,
    {
      provide: EventSequencer,
      inject: [OutboxStore, EventNotifier, LOG],
      useFactory: (store: OutboxStore, notifier: EventNotifier, log: Log) =>
        new EventSequencer(store, notifier, log),
    },
  ],
  exports: [EventsService],
})
export class EventsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly sequencer: EventSequencer,
    @Inject(STORAGE_SETTINGS.KEY) private readonly storage: StorageSettings,
  ) {}

  onApplicationBootstrap(): void {
    if (this.storage.worker) this.sequencer.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.sequencer.stop();
  }
}
