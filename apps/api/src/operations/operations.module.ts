import { ConfigurableModuleBuilder, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { API_BASE_URL } from './api-base-url.js';
import { OperationNames } from './operation-names.js';
import { DEPRECATION_OPTIONS, type DeprecationOptions, DeprecationNotices } from './deprecation-notices.js';
import { OperationRegistry } from './operation-registry.js';
import { UnmatchedController } from './unmatched.controller.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<DeprecationOptions>()
  .setClassMethodName('forRoot')
  .setExtras({}, (definition) => ({ ...definition, global: true }))
  .build();

/**
 * What belongs to the operations of all resources together. Registered once, with `forRootAsync`; resources import
 * nothing for it. Needs `routeResolutionStrategy: 'specificity'`, so that no route shadows a more exact one.
 */
@Module({
  imports: [DiscoveryModule],
  controllers: [UnmatchedController],
  providers: [
    OperationRegistry,
    OperationNames,
    DeprecationNotices,
    { provide: DEPRECATION_OPTIONS, useExisting: MODULE_OPTIONS_TOKEN },
    {
      provide: API_BASE_URL,
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: ({ baseUrl }: DeprecationOptions) => baseUrl,
    },
  ],
  exports: [OperationRegistry, OperationNames, DeprecationNotices, API_BASE_URL],
})
export class OperationsModule extends ConfigurableModuleClass {}
