import { userInfo } from 'node:os';
import type { Readable } from 'node:stream';
import type { Environment } from '@petstore/api';
import { EXIT } from './errors.js';
import { type Palette, palette } from './output.js';

/** Everything a command sees of the world around it. */
export interface Terminal {
  readonly environment: Environment;
  /** What was asked for: results, and the only place where a secret is ever written. */
  readonly out: (text: string) => void;
  /** Everything else: notes, warnings, errors. */
  readonly err: (text: string) => void;
  readonly input: Readable;
  /** Whether a person is at the input, who can be asked. */
  readonly interactive: boolean;
  /** Styles parts of a result. */
  readonly paint: Palette;
  /** Whether notes go to a terminal, where a line can be written again. */
  readonly redrawsLines: boolean;
  /** The operating-system user, for the audit. */
  readonly user: string;
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  let isWritten = true;
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // The reader of the output may stop early: `... list | head`.
    if (code === 'EPIPE') return;
    isWritten = false;
    process.stderr.write(`error: The output could not be written: ${message}\n`);
  });
  process.on('exit', () => {
    if (!isWritten) process.exitCode = EXIT.failure;
  });
  // The one place where the environment enters; apps/api/src/configuration reads it.
  // oxlint-disable-next-line node/no-process-env
  const environment = process.env;
  return {
    environment,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    input: process.stdin,
    interactive: process.stdin.isTTY,
    // https://no-color.org: any value but the empty one.
    paint: palette(process.stdout.isTTY && (environment['NO_COLOR'] ?? '') === ''),
    redrawsLines: process.stderr.isTTY,
    user: user(),
  };
}

/** The user of the operating system; inside some containers one has a number only. */
function user(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
