import { type DynamicModule, Module } from '@nestjs/common';
import { type Configuration, CONFIGURATION } from '../configuration/configuration.js';
import { type Log, LOG } from '../logging/log.js';
import { DATABASE_SERVER, type DatabaseServer } from '../storage/database-server.js';

/** Milliseconds since 1970. */
export type Clock = () => number;

/** Injects the {@link Clock} that dates of the contract are compared with. */
export const CLOCK = Symbol('Clock');

/**
 * Injects whether this process opens the management listener that the configuration asks for. A worker process does
 * not: its primary shows the metrics of all.
 */
export const OPENS_MANAGEMENT_LISTENER = Symbol('opens the management listener');

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
    const providers = [
      { provide: CONFIGURATION, useValue: configuration },
      { provide: LOG, useValue: log },
      { provide: DATABASE_SERVER, useValue: server },
      { provide: CLOCK, useValue: now },
      { provide: OPENS_MANAGEMENT_LISTENER, useValue: opensManagementListener },
    ];
    return { module: OptionsModule, global: true, providers, exports: providers };
  }
}
