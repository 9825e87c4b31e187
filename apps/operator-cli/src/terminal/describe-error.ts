import { KeyRuleError, KeyStoreUnavailableError, UnknownKeyError } from '@petstore/api-key';
import { ConfigurationError } from '@petstore/api';
import { EmbeddedPostgresError, PepperFileError } from '@petstore/embedded-postgres';
import {
  DatabaseStartError,
  PetImportBusyError,
  SequencerBusyError,
  UnknownWebhookError,
} from '@petstore/persistence';
import {
  RefusedRecordsError,
  StockFileChangedError,
  StockFileError,
  TokenTakenError,
} from './stock-file.errors.js';
import { BanNotLiftedError } from './ban-not-lifted.error.js';
import { NotConfirmedError } from './not-confirmed.error.js';

/** What went wrong, for a person: one sentence where the cause is known, everything where it is not. */
export function describeError(error: unknown): string {
  if (error instanceof UnknownKeyError || error instanceof UnknownWebhookError)
    return `${error.message} The command list shows those there are.`;
  const expected = [
    BanNotLiftedError,
    KeyRuleError,
    KeyStoreUnavailableError,
    ConfigurationError,
    EmbeddedPostgresError,
    DatabaseStartError,
    PepperFileError,
    SequencerBusyError,
    NotConfirmedError,
    PetImportBusyError,
    RefusedRecordsError,
    StockFileChangedError,
    StockFileError,
    TokenTakenError,
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
