import { CommanderError } from 'commander';
import type { CommandFactory } from './command.js';
import { describeError, EXIT, exitCodeOf } from './terminal/errors.js';
import { processTerminal } from './terminal/process-terminal.js';
import type { Terminal } from './terminal/terminal.js';

/** Runs one command of a program; its exit code. */
export async function run(
  createProgram: CommandFactory,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    // Commander has said what is wrong by itself.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    terminal.err(`error: ${describeError(error)}\n`);
    return exitCodeOf(error);
  }
}

/** Runs a program as the process that was started for it. */
export async function main(createProgram: CommandFactory): Promise<void> {
  process.exitCode = await run(createProgram, process.argv.slice(2), processTerminal());
}
