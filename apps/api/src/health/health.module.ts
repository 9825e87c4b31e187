import { ConfigurableModuleBuilder, Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { PublicReadiness } from './public-readiness.js';
import { Readiness, READINESS_PARTS, type ReadinessParts } from './readiness.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<ReadinessParts>()
  .setClassMethodName('forRoot')
  .build();

/** Answers the probes of whoever runs the service. */
@Module({
  controllers: [HealthController],
  providers: [
    Readiness,
    { provide: READINESS_PARTS, useExisting: MODULE_OPTIONS_TOKEN },
    {
      provide: PublicReadiness,
      inject: [Readiness, READINESS_PARTS],
      useFactory: (readiness: Readiness, { isStopping }: ReadinessParts) =>
        new PublicReadiness(readiness.check, isStopping),
    },
  ],
  exports: [Readiness],
})
export class HealthModule extends ConfigurableModuleClass {}
