import { ConfigurableModuleBuilder, Module } from '@nestjs/common';
import { ManagementServer, type ManagementServerOptions } from '../management/management-server.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } =
  new ConfigurableModuleBuilder<ManagementServerOptions>({ moduleName: 'Management' })
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
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: (options: ManagementServerOptions) => new ManagementServer(options),
    },
  ],
  exports: [ManagementServer],
})
export class ManagementModule extends ConfigurableModuleClass {}
