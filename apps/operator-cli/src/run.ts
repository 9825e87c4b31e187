import { KeyRuleError, KeyStoreUnavailable, PepperFileError, UnknownKeyError } from '@petstore/api-key';
import { ConfigurationError } from '@petstore/configuration';
import { EmbeddedPostgresError } from '@petstore/embedded-postgres';
import { DatabaseStartError } from '@petstore/persistence';
import { CommanderError } from 'commander';
import { createProgram } from './program.js';
import type { Terminal } from './terminal.js';

/** Exit codes, for scripts. */
export const EXIT = {
  ok: 0,
  /** It could not be done: no such key, no database. */
  failure: 1,
  /** What was asked for is wrong: an option, a rule of keys, the configuration. */
  usage: 2,
} as const;

/** Runs one command; its exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    // Commander has said what is wrong by itself.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    terminal.err(`error: ${describe(error)}\n`);
    return error instanceof KeyRuleError || error instanceof ConfigurationError ? EXIT.usage : EXIT.failure;
  }
}

/** What went wrong, for a person: one sentence where the cause is known, everything where it is not. */
export function describe(error: unknown): string {
  if (error instanceof UnknownKeyError) return `${error.message} The command list shows those there are.`;
  const expected = [
    KeyRuleError,
    KeyStoreUnavailable,
    ConfigurationError,
    EmbeddedPostgresError,
    DatabaseStartError,
    PepperFileError,
  ];
  if (expected.some((kind) => error instanceof kind)) return (error as Error).message;
  // Of the system or of PostgreSQL: a refused connection, a wrong password, a folder that may not be read.
  const { code, message } = firstOf(error) as NodeJS.ErrnoException;
  return code === undefined ? String(error instanceof Error ? error.stack : error) : `${message} (${code})`;
}

/** Node groups the errors of several addresses of one host, and says nothing itself. */
function firstOf(error: unknown): unknown {
  return error instanceof AggregateError ? error.errors[0] : error;
}
