import { Module } from '@nestjs/common';
import { ClientsModule } from '../access/clients.module.js';
import { KeysModule } from '../access/keys.module.js';
import { LimitsModule } from '../access/limits.module.js';
import { TelemetryModule } from '../observability/telemetry.module.js';
import { RequestLoadPolicy } from './request-load-policy.js';
import { RequestRecorder } from './request-recorder.js';

/** The ports of the HTTP server: keys, limits and operations for it, the log and metrics from it. */
@Module({
  imports: [ClientsModule, KeysModule, LimitsModule, TelemetryModule],
  providers: [RequestLoadPolicy, RequestRecorder],
  exports: [RequestLoadPolicy, RequestRecorder],
})
export class HttpServerPortsModule {}
