import { type DynamicModule, Module } from '@nestjs/common';
import { type Clock, CLOCK } from '../operations/clock.js';
import { OPENS_MANAGEMENT_LISTENER } from '../management/opens-management-listener.js';
import { DATABASE_SERVER, type DatabaseServer } from '../storage/database-server.js';

/** What the program has made before Nest starts. */
export interface StartupOptions {
  /** The database server, which is stopped after the application has closed. */
  readonly server: DatabaseServer;
  /** The system clock unless given. */
  readonly now?: Clock | undefined;
  /** Whether the management listener that the configuration asks for is opened in this process. */
  readonly opensManagementListener: boolean;
}

/** Provides what exists before Nest starts to every module. */
@Module({})
export class StartupModule {
  static forRoot({ server, now = Date.now, opensManagementListener }: StartupOptions): DynamicModule {
    return {
      module: StartupModule,
      global: true,
      providers: [
        { provide: DATABASE_SERVER, useValue: server },
        { provide: CLOCK, useValue: now },
        { provide: OPENS_MANAGEMENT_LISTENER, useValue: opensManagementListener },
      ],
      exports: [DATABASE_SERVER, CLOCK, OPENS_MANAGEMENT_LISTENER],
    };
  }
}
