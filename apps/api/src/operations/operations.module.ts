import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { type Clock, CLOCK, DeprecationGuard } from './deprecation.guard.js';
import { API_BASE_PATH, LinkBuilder } from './link-builder.js';
import { OPERATION_SETTINGS, type OperationSettings } from './operations.settings.js';
import { OperationRegistry } from './operation-registry.js';

/**
 * What all resources' operations share; resources import nothing for it.
 */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    OperationRegistry,
    {
      provide: LinkBuilder,
      inject: [OPERATION_SETTINGS.KEY],
      useFactory: ({ publicBaseUrl }: OperationSettings) => new LinkBuilder(publicBaseUrl ?? API_BASE_PATH),
    },
    {
      provide: DeprecationGuard,
      inject: [OperationRegistry, LinkBuilder, CLOCK, OPERATION_SETTINGS.KEY],
      useFactory: (
        registry: OperationRegistry,
        links: LinkBuilder,
        now: Clock,
        settings: OperationSettings,
      ) => {
        const { getPetDeprecatedSince: since, getPetAfterSunset: afterSunset } = settings;
        return new DeprecationGuard(registry, { getPet: { since, afterSunset } }, links, now);
      },
    },
  ],
  exports: [OperationRegistry, DeprecationGuard, LinkBuilder],
})
export class OperationsModule {}
