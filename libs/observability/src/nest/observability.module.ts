import { ConfigurableModuleBuilder, Module } from '@nestjs/common';
import { Telemetry, type TelemetryOptions } from '../telemetry.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<TelemetryOptions>({
  moduleName: 'Observability',
})
  .setClassMethodName('forRoot')
  .build();

/** Provides {@link Telemetry}, which is closed at the end of the application's shutdown. */
@Module({
  providers: [
    {
      provide: Telemetry,
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: (options: TelemetryOptions) => Telemetry.start(options),
    },
  ],
  exports: [Telemetry],
})
export class ObservabilityModule extends ConfigurableModuleClass {}
