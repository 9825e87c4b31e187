import type { LoggerService } from '@nestjs/common';
import { type Logger, pino } from 'pino';
import type { Configuration } from '@petstore/configuration';

/** Structured log: one JSON object a line on standard output. */
export type Log = Logger;

export function createLog(level: Configuration['logLevel']): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}

/** What Nest itself has to say, in the same log. Its start-up chatter is for debugging. */
export class NestLog implements LoggerService {
  constructor(private readonly target: Log) {}

  log(message: unknown, context?: string): void {
    this.target.debug({ context }, String(message));
  }

  error(message: unknown, stack?: string, context?: string): void {
    this.target.error({ context, stack }, String(message));
  }

  warn(message: unknown, context?: string): void {
    this.target.warn({ context }, String(message));
  }
}
