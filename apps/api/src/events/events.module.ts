import { Module } from '@nestjs/common';
import { PostgresEventFeed } from '@petstore/persistence';
import { TelemetryModule } from '../observability/telemetry.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { EventLinks } from './event-links.js';
import { EventMetrics } from './event-metrics.js';
import { EVENT_FEED, EventsController } from './events.controller.js';
import { Sequencing } from './sequencing.js';

/** The feed of everything that happens. */
@Module({
  imports: [StorageModule, TelemetryModule],
  controllers: [EventsController],
  providers: [EventLinks, Sequencing, EventMetrics, { provide: EVENT_FEED, useExisting: PostgresEventFeed }],
})
export class EventsModule {}
