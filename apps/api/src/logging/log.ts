import { isNativeError } from 'node:util/types';
import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import type { Configuration } from '@petstore/configuration';
import { framesOf, logError } from './log-error.js';

/** Structured log: one JSON object a line on standard output. */
export type Log = Logger;

/** Lines are gathered and written together: at so many bytes, and at most so many in one go. */
interface Gathering {
  readonly minLength: number;
  readonly maxWrite: number;
}

const ALONE: Gathering = { minLength: 16_384, maxWrite: 65_536 };

/**
 * A pipe takes 4,096 bytes in one piece (PIPE_BUF of Linux): of several processes that write to one, none then
 * ends up within another's line. A line that is longer itself may.
 */
const IN_ONE_PIECE: Gathering = { minLength: 2_048, maxWrite: 4_096 };

/** Longest that a line waits for others, in milliseconds. */
const LONGEST_WAIT = 200;

/** Most bytes kept for a reader that does not read, such as a pipe that hangs; further lines are lost. */
const MOST_KEPT = 16 * 1024 * 1024;

let dropped = 0;

/** Lines that were lost so far because nobody read them. */
export function droppedLogLines(): number {
  return dropped;
}

/** @param destination standard output unless said */
export function createLog(
  level: Configuration['logLevel'],
  destination: DestinationStream = standardOutput(),
): Log {
  return pino({ level, base: null, timestamp: timeMember, ...errors }, destination);
}

/** The log of one of several processes that write to the same standard output: each line says whose it is. */
export function createSharedLog(level: Configuration['logLevel']): Log {
  return pino(
    { level, base: { pid: process.pid }, timestamp: timeMember, ...errors },
    standardOutput(IN_ONE_PIECE),
  );
}

/** Whatever is logged as an error is logged without what it was made of. */
const errors: Pick<LoggerOptions, 'serializers' | 'hooks'> = {
  serializers: { err: logError },
  hooks: {
    // A line without words of its own would get the error's message, as it is.
    logMethod(line, method) {
      const [first, words = 'error'] = line as unknown[];
      if (isNativeError(first)) method.call(this, { err: first }, String(words));
      else if (line.length === 1 && (first as { err?: unknown } | null)?.err !== undefined) {
        method.call(this, first as object, 'error');
      } else method.apply(this, line);
    },
  },
};

let second = 0;
let secondText = '';

/** The time as a member of a line. Spelt once a second but for the milliseconds: else a third of a line's cost. */
function timeMember(): string {
  const now = Date.now();
  const ms = now % 1000;
  if (now - ms !== second) {
    second = now - ms;
    secondText = `,"time":"${new Date(now).toISOString().slice(0, 20)}`;
  }
  return `${secondText}${String(1000 + ms).slice(1)}Z"`;
}

/**
 * Writing never holds up a request; what is left is written when the process ends, after an error too.
 *
 * Lines are handed on as bytes: of text, pino's destination measures all that it has gathered with each line
 * anew, which is 3 µs a line and most of its garbage.
 */
function standardOutput(gathered = ALONE): DestinationStream & { flushSync(): void } {
  const stream = pino.destination({
    dest: 1,
    sync: false,
    contentMode: 'buffer',
    ...gathered,
    periodicFlush: LONGEST_WAIT,
    maxLength: MOST_KEPT,
  });
  stream.on('drop', () => dropped++);
  return {
    write: (line) => {
      // Declared for text only.
      stream.write(Buffer.from(line) as unknown as string);
    },
    // Asked by pino before a process ends of a fatal error.
    flushSync: () => {
      stream.flushSync();
    },
  };
}

/** What Nest itself has to say, in the same log. Its start-up chatter is for debugging. */
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
