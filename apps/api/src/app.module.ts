import { type DynamicModule, Module, type Type } from '@nestjs/common';
import type { Configuration } from '@petstore/configuration';
import { ConfigurationModule } from '@petstore/configuration/nest';
import { DocsModule } from './docs/docs.module.js';
import { HealthModule } from './health/health.module.js';
import { HttpModule } from './http/http.module.js';
import { RequestPipelineModule } from './http/request-pipeline.module.js';
import type { Log } from './logging/log.js';
import { LoggingModule } from './logging/logging.module.js';
import { ManagementListenerModule } from './management/management-listener.module.js';
import { ContractModule } from './operations/contract.module.js';
import { PetsModule } from './pets/pets.module.js';
import { StartupModule, type StartupOptions } from './startup/startup.module.js';

/** The modules of the resources: a new one is a line here. */
export const RESOURCE_MODULES: readonly Type[] = [PetsModule];

/** What exists before Nest starts. */
export interface AppOptions extends StartupOptions {
  readonly configuration: Configuration;
  readonly log: Log;
}

/** The service. It imports modules and does nothing else. */
@Module({
  imports: [
    ContractModule,
    HttpModule,
    RequestPipelineModule,
    DocsModule,
    HealthModule,
    ManagementListenerModule,
    ...RESOURCE_MODULES,
  ],
})
export class AppModule {
  static forRoot({ configuration, log, ...startup }: AppOptions): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigurationModule.forRoot(configuration),
        LoggingModule.forRoot(log),
        StartupModule.forRoot(startup),
      ],
    };
  }
}
