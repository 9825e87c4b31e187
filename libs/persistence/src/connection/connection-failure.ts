import { isNativeError } from 'node:util/types';
import { NoResponseError } from './no-response.error.js';

/** SQLSTATE classes and codes of temporary failures (PostgreSQL manual, appendix A). */
const SQLSTATES = [
  '08', // connection exception
  '53', // insufficient resources: connections, memory, disk
  '57P', // shut down, crashed or still starting
  '57014', // statement cancelled by its time limit
  '55P03', // lock not available within its time limit
  '25006', // read-only: the primary has moved elsewhere
  '26000', // a prepared statement that this connection does not have; the next one will
  '25P03', // a transaction in which nothing happened for too long
];

/** What pg itself says, in errors that carry no code. */
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;

/** Where PostgreSQL finds that the columns of a prepared statement have changed; its message is translated. */
const STALE_PLAN = 'RevalidateCachedQuery';

/** What TypeORM says to the next statement of a transaction whose connection broke between two of them. */
const BROKEN_TRANSACTION: ReadonlySet<string> = new Set([
  'QueryRunnerAlreadyReleasedError',
  'QueryRunnerProviderAlreadyReleasedError',
]);

/**
 * Whether an error of TypeORM, pg or this lib means that the database could not be reached or did not respond in time,
 * rather than that it refused a statement.
 */
export function isConnectionFailure(error: unknown): boolean {
  // Not `instanceof Error`: one that Node itself makes belongs to another realm where tests run in a context.
  if (!isNativeError(error)) return false;
  const { driverError, name, code, syscall, message, routine } = error as DriverError;
  // TypeORM wraps the driver's error.
  if (isNativeError(driverError) && driverError !== error) return isConnectionFailure(driverError);
  // Of a socket.
  if (error instanceof NoResponseError || syscall !== undefined || MESSAGES.test(message)) return true;
  if (BROKEN_TRANSACTION.has(name) || routine === STALE_PLAN) return true;
  return code?.length === 5 && SQLSTATES.some((prefix) => code.startsWith(prefix));
}

interface DriverError extends Error {
  readonly code?: string;
  readonly syscall?: string;
  readonly routine?: string;
  readonly driverError?: unknown;
}
