import type { LoggerService } from '@nestjs/common';
import type { Log } from './log.js';
import { framesOf } from './log-error.js';

/** Writes Nest's own messages to the service's log; those of the start at level debug. */
export class NestLog implements LoggerService {
  constructor(private readonly target: Log) {}

  log(message: unknown, context?: string): void {
    this.target.debug({ context }, String(message));
  }

  error(message: unknown, stack?: string, context?: string): void {
    if (message instanceof Error) this.target.error({ context, err: message }, 'framework error');
    else this.target.error({ context, stack: framesOf(stack ?? '') }, String(message));
  }

  warn(message: unknown, context?: string): void {
    if (message instanceof Error) this.target.warn({ context, err: message }, 'framework error');
    else this.target.warn({ context }, String(message));
  }
}

/**
 * The log while an application is created: Nest logs an error of the start that it then throws, and the program that starts the
 * service reports it.
 */
export class StartLog extends NestLog {
  override error(): void {
    // Thrown as well.
  }
}
