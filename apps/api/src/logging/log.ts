import { isNativeError } from 'node:util/types';
import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type LevelWithSilent, type Logger, type LoggerOptions, pino } from 'pino';
import { framesOf, logError } from './log-error.js';

/** Structured log: one JSON object a line on standard output. */
export type Log = Logger;

/** Injects the {@link Log}: `@Inject(LOG) log: Log`. */
export const LOG = Symbol('Log');

/** Bytes of buffered lines that are written together. */
const FLUSH_BYTES = 16_384;

/** Most bytes of one write. */
const MAX_WRITE_BYTES = 65_536;

/** Longest time that a line stays in the buffer. */
const FLUSH_INTERVAL_MS = 200;

/** Most bytes buffered while nothing can be written (a pipe hangs, the disk is full); further lines are dropped. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

let dropped = 0;

/** Lines dropped so far because they could not be written. */
export function droppedLogLines(): number {
  return dropped;
}

/** @param destination standard output by default */
export function createLog(level: LevelWithSilent, destination: DestinationStream = standardOutput()): Log {
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, ...errors }, destination);
  destinations.set(log, destination);
  return log;
}

const destinations = new WeakMap<Log, DestinationStream>();

/** Where a log writes that {@link createLog} has made, for the lines of requests. */
export function destinationOf(log: Log): DestinationStream {
  const known = destinations.get(log);
  if (known === undefined) throw new Error('The log was not made by createLog.');
  return known;
}

/** Errors are logged without the data they carry. */
const errors: Pick<LoggerOptions, 'serializers' | 'hooks'> = {
  serializers: { err: logError },
  hooks: {
    // pino would use the error's unfiltered message for a line without a message.
    logMethod(line, method) {
      const [first, words = 'error'] = line as unknown[];
      if (isNativeError(first)) method.call(this, { err: first }, String(words));
      else if (line.length === 1 && (first as { err?: unknown } | null)?.err !== undefined) {
        method.call(this, first as object, 'error');
      } else method.apply(this, line);
    },
  },
};

/**
 * Writing never blocks a request; what is buffered is written when the process ends, also after an error.
 *
 * Lines are passed as bytes: for text, pino's destination measures its whole buffer again with each line, which takes
 * 3 µs and makes most of its garbage.
 */
function standardOutput(): DestinationStream & { flushSync(): void } {
  const stream = pino.destination({
    dest: 1,
    sync: false,
    contentMode: 'buffer',
    minLength: FLUSH_BYTES,
    maxWrite: MAX_WRITE_BYTES,
    periodicFlush: FLUSH_INTERVAL_MS,
    maxLength: MAX_BUFFERED_BYTES,
  });
  stream.on('drop', () => dropped++);
  // On a full disk, for example: the lines stay in the buffer and are written when there is room. Without a listener
  // an error would end the process.
  stream.on('error', () => undefined);
  const flushSync = stream.flushSync.bind(stream);
  // pino calls this when the process ends.
  stream.flushSync = () => {
    try {
      flushSync();
    } catch {
      // The lines are lost.
    }
  };
  return {
    write: (line) => {
      // The declaration allows text only.
      stream.write(Buffer.from(line) as unknown as string);
    },
    // pino calls this before a process ends because of a fatal error.
    flushSync: () => {
      stream.flushSync();
    },
  };
}

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
 * The log while an application is created: Nest logs an error of the start and then throws it, and the program reports it.
 */
export class StartLog extends NestLog {
  override error(): void {
    // Thrown as well.
  }
}
