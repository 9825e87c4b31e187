import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the workspace. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Something that the person at the keyboard can put right; the message says what. */
export class BootstrapError extends Error {}

/**
 * Runs a command to its end, in the workspace unless said and without input unless said.
 *
 * @param output 'inherit': its output is ours; 'kept': nothing is shown, and all of it comes with the exit code.
 */
export function run(file, args, { env = {}, output = 'inherit', input = 'ignore', cwd = root } = {}) {
  const pipe = output === 'kept' ? 'pipe' : 'inherit';
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: [input, pipe, pipe],
  });
  const forward = (signal) => child.kill(signal);
  process.on('SIGTERM', forward).on('SIGINT', forward);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (part) => (text += part));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      process.off('SIGTERM', forward).off('SIGINT', forward);
      // Asked to stop while a step was under way: there is nothing more to do.
      if (signal === 'SIGTERM' || signal === 'SIGINT') process.exit(signal === 'SIGINT' ? 130 : 143);
      resolve({ code: code ?? 1, text });
    });
  });
}
