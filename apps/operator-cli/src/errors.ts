import { ConfigurationError } from '@petstore/api';
import { KeyRuleError, KeyStoreUnavailableError, UnknownKeyError } from '@petstore/api-key';
import { EmbeddedPostgresError } from '@petstore/embedded-postgres';
import {
  DatabaseStartError,
  PetImportBusyError,
  SequencerBusyError,
  UnknownWebhookError,
} from '@petstore/persistence';

/** Exit codes, for scripts. */
export const EXIT = {
  ok: 0,
  /** It could not be done: no such key, no database, not confirmed. */
  failure: 1,
  /** What was asked for is wrong: an option, a rule of keys, a file, the configuration. */
  usage: 2,
  /** Records of a file are no animals. */
  refused: 3,
} as const;

/** Exit codes in the help of commands; a command that has more adds it. */
export const EXIT_HELP = 'Exit codes: 0 done, 1 it could not be done, 2 what was asked for is wrong';

/** A command failed. The message is for the operator. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    message: string,
    readonly exitCode: (typeof EXIT)[keyof typeof EXIT] = EXIT.failure,
  ) {
    super(message);
  }
}

/** A file cannot be imported at all: it is not there, is no file, or has another form. */
export class StockFileError extends CommandError {
  constructor(message: string) {
    super(message, EXIT.usage);
  }
}

/** Errors of wrong usage. */
const MISTAKES = [KeyRuleError, ConfigurationError];

/** Other errors whose message is enough. */
const EXPECTED = [
  CommandError,
  ...MISTAKES,
  KeyStoreUnavailableError,
  EmbeddedPostgresError,
  DatabaseStartError,
  SequencerBusyError,
  PetImportBusyError,
];

export function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  return MISTAKES.some((kind) => error instanceof kind) ? EXIT.usage : EXIT.failure;
}

/** What went wrong, for a person: one sentence where the cause is known, everything where it is not. */
export function describeError(error: unknown): string {
  if (error instanceof UnknownKeyError || error instanceof UnknownWebhookError)
    return `${error.message} The command list shows those there are.`;
  if (EXPECTED.some((kind) => error instanceof kind)) return (error as Error).message;
  // Of the system or of PostgreSQL: a refused connection, a wrong password, a folder that may not be read. Node groups
  // the errors of several addresses of one host, and says nothing itself.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const { code, message } = first as NodeJS.ErrnoException;
  return code === undefined ? String(error instanceof Error ? error.stack : error) : `${message} (${code})`;
}
