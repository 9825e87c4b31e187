import { StoreUnavailableError } from '@petstore/pet-domain';
import { isNativeError } from 'node:util/types';

/** The database did not respond in time, or this process did not wait for it. */
export class NoResponseError extends Error {
  override readonly name: string = 'NoResponseError';
}

/** No session could be begun, whoever has refused it and why: message and `cause` are of that. */
export class NoSessionError extends NoResponseError {
  override readonly name = 'NoSessionError';

  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

/** The database was made by migrations of the same names and another text. */
export class ForeignSchemaError extends Error {
  override readonly name = 'ForeignSchemaError';

  constructor() {
    super('this database was made by another state of the service before its first release');
  }
}

/** Thrown by a repository after a statement that failed because of another transaction: tried again, the work sees it. */
export class TransactionConflictError extends Error {
  override readonly name = 'TransactionConflictError';

  constructor(options: ErrorOptions) {
    super('Another transaction has been faster.', options);
  }
}

/** What pg and TypeORM throw. */
interface DriverError extends Error {
  readonly code?: string;
  readonly syscall?: string;
  readonly routine?: string;
}

/**
 * The error of the driver, which TypeORM wraps; `undefined` for what is no error. Not by `instanceof`: one that Node itself
 * makes belongs to another realm where tests run in a context.
 */
export function driverErrorOf(error: unknown): DriverError | undefined {
  if (!isNativeError(error)) return undefined;
  const { driverError = error } = error as { readonly driverError?: unknown };
  return driverError === error ? error : driverErrorOf(driverError);
}

/** SQLSTATE of what the database or TypeORM says; `undefined` for any other error. */
export function sqlStateOf(error: unknown): string | undefined {
  return driverErrorOf(error)?.code;
}

/** Whether a transaction lost against another one, and may win when it is tried again: a conflict or a deadlock. */
export function isTransactionConflict(error: unknown): boolean {
  return error instanceof TransactionConflictError || ['40001', '40P01'].includes(sqlStateOf(error) ?? '');
}

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
const BROKEN_TRANSACTION = ['QueryRunnerAlreadyReleasedError', 'QueryRunnerProviderAlreadyReleasedError'];

/**
 * Whether an error of TypeORM, pg or this lib means that the database could not be reached or did not respond in time,
 * rather than that it refused a statement.
 */
export function isConnectionFailure(error: unknown): boolean {
  const driverError = driverErrorOf(error);
  if (driverError === undefined) return false;
  const { name, code = '', syscall, message, routine } = driverError;
  // A system call is one of a socket.
  if (driverError instanceof NoResponseError || syscall !== undefined || MESSAGES.test(message)) return true;
  if (BROKEN_TRANSACTION.includes(name) || routine === STALE_PLAN) return true;
  return code.length === 5 && SQLSTATES.some((prefix) => code.startsWith(prefix));
}

/** Whether a statement was refused because the disk of the database is full. */
export function isDiskFull(error: unknown): boolean {
  return sqlStateOf(error) === '53100';
}

let refused = 0;

/** Statements so far that PostgreSQL refused because the disk of its data is full. */
export function diskFullErrors(): number {
  return refused;
}

/** {@link StoreUnavailableError} when the database gave no response, or cannot store anything; any other error as it is. */
export function toStoreError(cause: Error): Error {
  if (!isConnectionFailure(cause)) return cause;
  if (!isDiskFull(cause))
    return new StoreUnavailableError('The database cannot be reached or does not respond.', { cause });
  refused++;
  return new StoreUnavailableError('The disk of the database is full: free space on it.', { cause });
}
