import { StoreUnavailableError } from '@petstore/pet-domain';
import { isNativeError } from 'node:util/types';
import { DatabaseError } from 'pg';

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

/**
 * The error of the driver, which TypeORM wraps; `undefined` for what is no error. Not by `instanceof`: one that Node itself
 * makes belongs to another realm where tests run in a context.
 */
function driverErrorOf(error: unknown): Error | undefined {
  if (!isNativeError(error)) return undefined;
  const { driverError = error } = error as { readonly driverError?: unknown };
  return driverError === error ? error : driverErrorOf(driverError);
}

/** SQLSTATE of what PostgreSQL says; `undefined` for any other error, whatever code it has. */
export function sqlStateOf(error: unknown): string | undefined {
  const driverError = driverErrorOf(error);
  return driverError instanceof DatabaseError ? driverError.code : undefined;
}

/** Errors with which sessions have ended: pg rejects what runs on them with the same objects. */
const ENDS_OF_SESSIONS = new WeakSet<Error>();

/** Called with the error that ends a session, such as a connection that was reset. */
export function noteEndOfSession(error: Error): void {
  ENDS_OF_SESSIONS.add(error);
}

/** Whether a transaction lost against another one, and may win when it is tried again: a conflict or a deadlock. */
export function isTransactionConflict(error: unknown): boolean {
  return error instanceof TransactionConflictError || ['40001', '40P01'].includes(sqlStateOf(error) ?? '');
}

/**
 * Classes of SQLSTATE that name a defect of the service's own statements (PostgreSQL manual, appendix A). All other classes are
 * about the server: what it refuses, it refuses to others, too, and goes on to accept once its cause is gone.
 */
const DEFECTS = [
  '21', // cardinality violation
  '22', // data exception
  '23', // integrity constraint violation
  '42', // syntax error or access rule violation
];

/** Classes of SQLSTATE that say that there was no response in time, or no session: nothing that PostgreSQL could explain. */
const NO_RESPONSE = [
  '08', // connection exception
  '55', // not in the prerequisite state: a lock that was not given in time
  '57', // operator intervention: shut down, still starting, cancelled by a time limit
];

/** What pg itself says, in errors that carry no code. */
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;

/** What TypeORM says to the next statement of a transaction whose connection broke between two of them. */
const BROKEN_TRANSACTION = ['QueryRunnerAlreadyReleasedError', 'QueryRunnerProviderAlreadyReleasedError'];

/**
 * Whether an error of TypeORM, pg or this lib means that the database is unavailable, rather than that a statement is wrong.
 * One of the system counts if it has ended a session; of a file or another connection, it is none of the database.
 */
export function isUnavailable(error: unknown): boolean {
  const driverError = driverErrorOf(error);
  if (driverError === undefined) return false;
  if (driverError instanceof DatabaseError) return !isOf(DEFECTS, driverError.code);
  if (driverError instanceof NoResponseError || ENDS_OF_SESSIONS.has(driverError)) return true;
  return BROKEN_TRANSACTION.includes(driverError.name) || MESSAGES.test(driverError.message);
}

/**
 * Whether PostgreSQL says itself why the database is unavailable: its disk, memory, transaction ids, connections, or that it
 * takes no writes.
 */
export function isExplained(error: unknown): boolean {
  const code = sqlStateOf(error);
  return code !== undefined && isUnavailable(error) && !isOf(NO_RESPONSE, code);
}

function isOf(classes: readonly string[], code = ''): boolean {
  return classes.includes(code.slice(0, 2));
}

/** What a person is told of an error that {@link isUnavailable}. */
function explainUnavailable(error: Error): string {
  if (isDiskFull(error)) return 'The disk of the database is full: free space on it.';
  if (!isExplained(error)) return 'The database cannot be reached or does not respond.';
  const { message } = driverErrorOf(error) ?? error;
  return `The database refuses what it is asked for: ${message} (${sqlStateOf(error)}).`;
}

/** Whether a statement was refused because the disk of the database is full. */
function isDiskFull(error: unknown): boolean {
  return sqlStateOf(error) === '53100';
}

let refused = 0;

/** Statements so far that PostgreSQL refused because the disk of its data is full. */
export function diskFullErrors(): number {
  return refused;
}

/** {@link StoreUnavailableError} when the database is unavailable; any other error as it is. */
export function toStoreError(cause: Error): Error {
  if (!isUnavailable(cause)) return cause;
  if (isDiskFull(cause)) refused++;
  return new StoreUnavailableError(explainUnavailable(cause), { cause });
}
