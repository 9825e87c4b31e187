import { type DynamicModule, Module } from '@nestjs/common';
import type { Configuration } from './configuration.js';

/** Injects the {@link Configuration}: `@Inject(CONFIGURATION) configuration: Configuration`. */
export const CONFIGURATION = Symbol('Configuration');

/** Provides the configuration, which the program has read before Nest starts, to every module. */
@Module({})
export class ConfigurationModule {
  static forRoot(configuration: Configuration): DynamicModule {
    return {
      module: ConfigurationModule,
      global: true,
      providers: [{ provide: CONFIGURATION, useValue: configuration }],
      exports: [CONFIGURATION],
    };
  }
}
