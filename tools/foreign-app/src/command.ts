import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Longest that a command may take on a busy machine, in milliseconds. */
const COMMAND_TIMEOUT_MS = 120_000;

/**
 * Runs a program to its end, without a shell.
 *
 * @throws Error with all that it has printed, when it fails
 */
export async function runCommand(program: string, args: readonly string[], cwd: string): Promise<void> {
  try {
    await run(program, args, { cwd, timeout: COMMAND_TIMEOUT_MS });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}
