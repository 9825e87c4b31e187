import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { Configuration } from '../configuration/configuration.js';
import { CONFIGURATION } from '../configuration/configuration.module.js';
import { API_BASE_URL } from './api-base-url.js';
import { DEPRECATION_OVERRIDES, type DeprecationOverrides, Deprecations } from './deprecations.js';
import { Links } from './links.js';
import { API_BASE_PATH } from './operation.js';
import { OperationRegistry } from './operation-registry.js';
import { UnmatchedController } from './unmatched.controller.js';

/**
 * What belongs to the operations of all resources together; resources import nothing for it. Needs
 * `routeResolutionStrategy: 'specificity'`, so that no route shadows a more exact one.
 */
@Global()
@Module({
  imports: [DiscoveryModule],
  controllers: [UnmatchedController],
  providers: [
    OperationRegistry,
    Deprecations,
    Links,
    {
      provide: API_BASE_URL,
      inject: [CONFIGURATION],
      useFactory: ({ publicBaseUrl }: Configuration) => publicBaseUrl ?? API_BASE_PATH,
    },
    {
      provide: DEPRECATION_OVERRIDES,
      inject: [CONFIGURATION],
      useFactory: (configuration: Configuration): DeprecationOverrides => ({
        getPet: {
          since: configuration.getPetDeprecatedSince,
          afterSunset: configuration.getPetAfterSunset,
        },
      }),
    },
  ],
  exports: [OperationRegistry, Deprecations, Links, API_BASE_URL],
})
export class OperationsModule {}
