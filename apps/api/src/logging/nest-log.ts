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
