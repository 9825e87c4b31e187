import { type DynamicModule, Module } from '@nestjs/common';
import type { Log } from './log.js';

/** Injects the {@link Log}: `@Inject(LOG) log: Log`. */
export const LOG = Symbol('Log');

/** Provides the log, which exists before Nest starts, to every module. */
@Module({})
export class LoggingModule {
  static forRoot(log: Log): DynamicModule {
    return {
      module: LoggingModule,
      global: true,
      providers: [{ provide: LOG, useValue: log }],
      exports: [LOG],
    };
  }
}
