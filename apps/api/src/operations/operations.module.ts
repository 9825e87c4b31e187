import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { type Clock, CLOCK, DeprecationGuard } from './deprecation.guard.js';
import { API_BASE_PATH, Links } from './links.js';
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
      provide: Links,
      inject: [OPERATION_SETTINGS.KEY],
      useFactory: ({ publicBaseUrl }: OperationSettings) => new Links(publicBaseUrl ?? API_BASE_PATH),
    },
    {
      provide: DeprecationGuard,
      inject: [OperationRegistry, Links, CLOCK, OPERATION_SETTINGS.KEY],
      useFactory: (registry: OperationRegistry, links: Links, now: Clock, settings: OperationSettings) => {
        const { getPetDeprecatedSince: since, getPetAfterSunset: afterSunset } = settings;
        return new DeprecationGuard(registry, { getPet: { since, afterSunset } }, links, now);
      },
    },
  ],
  exports: [OperationRegistry, DeprecationGuard, Links],
})
export class OperationsModule {}
