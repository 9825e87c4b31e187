import { Module } from '@nestjs/common';
import { TelemetryModule } from '../observability/telemetry.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { EventMetrics } from './event-metrics.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';
import { SequencerService } from './sequencer.service.js';

/** The feed of everything that happens. */
@Module({
  imports: [StorageModule, TelemetryModule],
  controllers: [EventsController],
  providers: [EventsService, SequencerService, EventMetrics],
  exports: [EventsService],
})
export class EventsModule {}
