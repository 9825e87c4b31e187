import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { type Configuration, CONFIGURATION } from '../configuration/configuration.js';
import { type Clock, CLOCK } from '../options/options.module.js';
import { Deprecations } from './deprecations.js';
import { Links } from './links.js';
import { API_BASE_PATH } from './paths.js';
import { OperationRegistry } from './register-operations.js';
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
    {
      provide: Links,
      inject: [CONFIGURATION],
      useFactory: ({ publicBaseUrl }: Configuration) => new Links(publicBaseUrl ?? API_BASE_PATH),
    },
    {
      provide: Deprecations,
      inject: [OperationRegistry, Links, CLOCK, CONFIGURATION],
      useFactory: (registry: OperationRegistry, links: Links, now: Clock, configuration: Configuration) => {
        const { getPetDeprecatedSince: since, getPetAfterSunset: afterSunset } = configuration;
        return new Deprecations(registry, { getPet: { since, afterSunset } }, links, now);
      },
    },
  ],
  exports: [OperationRegistry, Deprecations, Links],
})
export class OperationsModule {}
