import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Configuration } from '@petstore/configuration';

/** Structured log: one JSON object a line on standard output. */
export type Log = Logger;

/** Lines are gathered and written together: at so many bytes, and at the latest after so many milliseconds. */
const GATHERED = { bytes: 8_192, ms: 200 };

/** Most bytes kept for a reader that does not read, such as a pipe that hangs; further lines are lost. */
const MOST_KEPT = 16 * 1024 * 1024;

let dropped = 0;

/** Lines that were lost so far because nobody read them. */
export function droppedLogLines(): number {
  return dropped;
}

/** @param destination standard output unless said */
export function createLog(level: Configuration['logLevel'], destination = standardOutput()): Log {
  return pino({ level, base: null, timestamp: timeMember }, destination);
}

let timeText = '';
let timeTextOf = 0;

/** The time as a member of a line. Spelt once a millisecond: under load that is a third of what a line costs. */
function timeMember(): string {
  const now = Date.now();
  if (now !== timeTextOf) {
    timeTextOf = now;
    timeText = `,"time":"${new Date(now).toISOString()}"`;
  }
  return timeText;
}

/** Writing never holds up a request; what is left is written when the process ends, after an error too. */
function standardOutput(): DestinationStream {
  const stream = pino.destination({
    dest: 1,
    sync: false,
    minLength: GATHERED.bytes,
    periodicFlush: GATHERED.ms,
    maxLength: MOST_KEPT,
  });
  stream.on('drop', () => dropped++);
  return stream;
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
