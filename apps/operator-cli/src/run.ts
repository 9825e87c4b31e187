import { KeyRuleError } from '@petstore/api-key';
import { ConfigurationError } from '@petstore/api';
import { type Command, CommanderError } from 'commander';
import { describeError } from './terminal/describe-error.js';
import { RefusedRecordsError, StockFileError, TokenTakenError } from './terminal/stock-file.errors.js';
import { EXIT } from './terminal/exit-codes.js';
import type { Terminal } from './terminal/terminal.js';

/** Runs one command of a program; its exit code. */
export async function run(
  createProgram: (terminal: Terminal) => Command,
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

/** What is wrong with what was asked for. */
const MISTAKES = [KeyRuleError, ConfigurationError, StockFileError, TokenTakenError];

function exitCodeOf(error: unknown): number {
  if (error instanceof RefusedRecordsError) return EXIT.refused;
  return MISTAKES.some((kind) => error instanceof kind) ? EXIT.usage : EXIT.failure;
}
