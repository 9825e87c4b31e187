import { ConfigurationError } from '@petstore/api';
import { KeyRuleError, KeyStoreUnavailableError, UnknownKeyError, VisibleText } from '@petstore/api-key';
import { EmbeddedPostgresError } from '@petstore/embedded-postgres';
import {
  DatabaseStartError,
  ImportBusyError,
  SequencerBusyError,
  UnknownWebhookError,
} from '@petstore/persistence';
import { StoreUnavailableError } from '@petstore/pet-domain';
import { CommandError, EXIT } from './errors.js';

/** Errors of wrong usage. */
const MISTAKES = [KeyRuleError, ConfigurationError];

/** Other errors whose message is enough. */
const EXPECTED = [
  ...MISTAKES,
  KeyStoreUnavailableError,
  StoreUnavailableError,
  EmbeddedPostgresError,
  DatabaseStartError,
  SequencerBusyError,
  ImportBusyError,
];

/** Exit code of a command that failed. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  return MISTAKES.some((kind) => error instanceof kind) ? EXIT.usage : EXIT.failure;
}

/** What went wrong, for a person: what is enough where the cause is known, everything where it is not. */
export function describeError(error: unknown): string {
  // It may quote what was given.
  if (error instanceof CommandError) return VisibleText.escape(error.message);
  return VisibleText.escapeLines(explanationOf(error));
}

function explanationOf(error: unknown): string {
  if (error instanceof UnknownKeyError || error instanceof UnknownWebhookError)
    return `${error.message} The command list shows those there are.`;
  if (EXPECTED.some((kind) => error instanceof kind)) return (error as Error).message;
  // Of the system or of PostgreSQL: a refused connection, a wrong password, a folder that may not be read. Node groups
  // the errors of several addresses of one host, and says nothing itself.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const { code, message } = first as NodeJS.ErrnoException;
  return code === undefined ? String(error instanceof Error ? error.stack : error) : `${message} (${code})`;
}
