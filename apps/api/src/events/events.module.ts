import { Module } from '@nestjs/common';
import { EventNotifier } from '@petstore/event-feed';
import { EventFeedModule } from '@petstore/event-feed/nest';
import { OutboxStore } from '@petstore/persistence';
import { type Log, LOG } from '../logging/log.js';
import { TelemetryModule } from '../observability/telemetry.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { STORAGE_SETTINGS, type StorageSettings } from '../storage/storage.settings.js';
import { EventMetrics } from './event-metrics.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';

/** The feed of everything that happens. */
@Module({
  imports: [
    StorageModule,
    TelemetryModule,
    EventFeedModule.forRootAsync({
      imports: [StorageModule],
      inject: [OutboxStore, EventNotifier, LOG, STORAGE_SETTINGS.KEY],
      useFactory: (store: OutboxStore, notifier: EventNotifier, log: Log, { worker }: StorageSettings) => ({
        store,
        notifier,
        log,
        sequences: worker,
      }),
    }),
  ],
  controllers: [EventsController],
  providers: [EventsService, EventMetrics],
  exports: [EventsService],
})
export class EventsModule {}
