import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Deprecations } from './deprecations.js';
import { LinkBuilder } from './link-builder.js';
import { API_BASE_PATH } from '../paths.js';
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
    Deprecations,
  ],
  exports: [OperationRegistry, Deprecations, LinkBuilder],
})
export class OperationsModule {}
