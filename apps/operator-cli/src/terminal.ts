import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Environment } from '@petstore/api';
import { EXIT } from './errors.js';
import { type Palette, palette } from './output.js';

/** Everything a command sees of the world around it. */
export interface Terminal {
  readonly environment: Environment;
  /** What was asked for: results without a secret. */
  readonly out: (text: string) => void;
  /** A result with a secret, which is shown only here: that it could not be written is an error, whatever the reason. */
  readonly outSecret: (text: string) => void;
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
  let hasSecret = false;
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // The reader of the output may stop early: `... list | head`.
    if (code === 'EPIPE' && !hasSecret) return;
    isWritten = false;
    const lost = hasSecret ? ' The secret in it is lost: rotate the key to get another one.' : '';
    process.stderr.write(`error: The output could not be written: ${message}.${lost}\n`);
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
    outSecret: (text) => {
      hasSecret = true;
      process.stdout.write(text);
    },
    err: (text) => process.stderr.write(text),
    input: process.stdin,
    interactive: process.stdin.isTTY,
    // Node knows NO_COLOR and what TERM says.
    paint: palette(process.stdout.isTTY && process.stdout.hasColors()),
    redrawsLines: process.stderr.isTTY && environment['TERM'] !== 'dumb',
    user: user(),
  };
}

/** A path that was given. npm changes to the folder of the project, and says where it was called. */
export const pathOf = (path: string, { environment }: Terminal): string =>
  resolve(environment['INIT_CWD'] ?? '', path);

/** The user of the operating system; inside some containers one has a number only. */
function user(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
