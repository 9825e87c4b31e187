import { type DynamicModule, Module } from '@nestjs/common';
import type { Configuration } from '../configuration/configuration.js';
import { ConfigurationModule } from '../configuration/configuration.module.js';
import type { Log } from '../logging/log.js';
import { LoggingModule } from '../logging/logging.module.js';
import { OPENS_MANAGEMENT_LISTENER } from '../management/opens-management-listener.js';
import { type Clock, CLOCK } from '../operations/clock.js';
import { DATABASE_SERVER, type DatabaseServer } from '../storage/database-server.js';

/** What exists before Nest starts. */
export interface AppOptions {
  readonly configuration: Configuration;
  readonly log: Log;
  /** The database server. Its starter stops it, after the application has closed. */
  readonly server: DatabaseServer;
  /** The system clock unless given. */
  readonly now?: Clock | undefined;
  /** Whether the management listener that the configuration asks for is opened in this process. */
  readonly opensManagementListener: boolean;
}

/** Provides what exists before Nest starts to every module. */
@Module({})
export class OptionsModule {
  static forRoot(options: AppOptions): DynamicModule {
    const { configuration, log, server, now = Date.now, opensManagementListener } = options;
    return {
      module: OptionsModule,
      global: true,
      imports: [ConfigurationModule.forRoot(configuration), LoggingModule.forRoot(log)],
      providers: [
        { provide: DATABASE_SERVER, useValue: server },
        { provide: CLOCK, useValue: now },
        { provide: OPENS_MANAGEMENT_LISTENER, useValue: opensManagementListener },
      ],
      exports: [DATABASE_SERVER, CLOCK, OPENS_MANAGEMENT_LISTENER],
    };
  }
}
