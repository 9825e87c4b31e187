import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CrossOriginMiddleware } from './cross-origin.middleware.js';
import { type Clock, CLOCK, DeprecationGuard } from './deprecation.guard.js';
import { Links } from './links.js';
import { OPERATION_SETTINGS, type OperationSettings } from './operations.settings.js';
import { API_BASE_PATH } from './paths.js';
import { OperationRegistry } from './register-operations.js';
import { UnmatchedController } from './unmatched.controller.js';

/**
 * What all resources' operations share; resources import nothing for it. Needs `routeResolutionStrategy: 'specificity'`, so
 * that no route shadows a more exact one.
 */
@Global()
@Module({
  imports: [DiscoveryModule],
  controllers: [UnmatchedController],
  providers: [
    OperationRegistry,
    CrossOriginMiddleware,
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
