import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import type { Environment } from '@petstore/api';
import { EXIT } from './errors.js';

/** Everything a command sees of the world around it. */
export interface Terminal {
  readonly environment: Environment;
  /** What was asked for: results without a secret. */
  readonly out: (text: string) => void;
  /** A result with a secret, which is shown only here: that it could not be written is an error, whatever the reason. */
  readonly outSecret: (text: string) => void;
  /** Everything else: notes, warnings, errors. */
  readonly err: (text: string) => void;
  /** Shows a line in the place of the one before, where a person sees it. */
  readonly progress?: ((line: string) => void) | undefined;
  /** The operating-system user, for the audit. */
  readonly user: string;
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  let hasSecret = false;
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // The reader of the output may stop early: `... list | head`.
    if (code === 'EPIPE' && !hasSecret) return;
    process.exitCode = EXIT.failure;
    const lost = hasSecret ? ' The secret in it is lost: rotate the key to get another one.' : '';
    process.stderr.write(`error: The output could not be written: ${message}.${lost}\n`);
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
    progress:
      process.stderr.isTTY && environment['TERM'] !== 'dumb'
        ? (line) => process.stderr.write(`\r${line}\u001b[K`)
        : undefined,
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
