import { userInfo } from 'node:os';
import type { Terminal } from './terminal.js';

/** The terminal of this process. */
export function processTerminal(): Terminal {
  // The reader of the output may stop early: `... list | head`.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
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
    colour: process.stdout.isTTY && (environment['NO_COLOR'] ?? '') === '',
    progress: process.stderr.isTTY,
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
