import { ConfigurableModuleBuilder, Module } from '@nestjs/common';
import { ManagementServer, type ManagementServerOptions } from '../management-server.js';
import { Telemetry, type TelemetryOptions } from '../telemetry.js';

const observability = new ConfigurableModuleBuilder<TelemetryOptions>({
  moduleName: 'Observability',
})
  .setClassMethodName('forRoot')
  .build();

/** Provides {@link Telemetry}, which is closed at the end of the application's shutdown. */
@Module({
  providers: [
    {
      provide: Telemetry,
      inject: [observability.MODULE_OPTIONS_TOKEN],
      useFactory: (options: TelemetryOptions) => Telemetry.start(options),
    },
  ],
  exports: [Telemetry],
})
export class ObservabilityModule extends observability.ConfigurableModuleClass {}

const management = new ConfigurableModuleBuilder<ManagementServerOptions>({ moduleName: 'Management' })
  .setClassMethodName('forRoot')
  .build();

/**
 * Provides the {@link ManagementServer}. It listens when all modules are initialized and closes after the public
 * listener. A module of its own: readiness comes from features, and these need the `ObservabilityModule`.
 */
@Module({
  providers: [
    {
      provide: ManagementServer,
      inject: [management.MODULE_OPTIONS_TOKEN],
      useFactory: (options: ManagementServerOptions) => new ManagementServer(options),
    },
  ],
  exports: [ManagementServer],
})
export class ManagementModule extends management.ConfigurableModuleClass {}
