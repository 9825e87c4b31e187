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
function driverErrorOf(error: unknown): DriverError | undefined {
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

const SQLSTATE = /^[0-9A-Z]{5}$/;

/** What pg itself says, in errors that carry no code. */
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;

/** What TypeORM says to the next statement of a transaction whose connection broke between two of them. */
const BROKEN_TRANSACTION = ['QueryRunnerAlreadyReleasedError', 'QueryRunnerProviderAlreadyReleasedError'];

/** Whether an error of TypeORM, pg or this lib means that the database is unavailable, rather than that a statement is wrong. */
export function isUnavailable(error: unknown): boolean {
  const driverError = driverErrorOf(error);
  if (driverError === undefined) return false;
  const { name, code = '', syscall, message } = driverError;
  // A system call is one of a socket.
  if (driverError instanceof NoResponseError || syscall !== undefined || MESSAGES.test(message)) return true;
  if (BROKEN_TRANSACTION.includes(name)) return true;
  return SQLSTATE.test(code) && !isOf(DEFECTS, code);
}

/**
 * Whether PostgreSQL says itself why the database is unavailable: its disk, memory, transaction ids, connections, or that it
 * takes no writes.
 */
export function isExplained(error: unknown): boolean {
  const { code = '', syscall } = driverErrorOf(error) ?? {};
  return syscall === undefined && isUnavailable(error) && SQLSTATE.test(code) && !isOf(NO_RESPONSE, code);
}

function isOf(classes: readonly string[], code: string): boolean {
  return classes.includes(code.slice(0, 2));
}

/** What a person is told of an error that {@link isUnavailable}. */
export function explainUnavailable(error: Error): string {
  if (isDiskFull(error)) return 'The disk of the database is full: free space on it.';
  if (!isExplained(error)) return 'The database cannot be reached or does not respond.';
  const { message, code }: DriverError = driverErrorOf(error) ?? error;
  return `The database refuses what it is asked for: ${message} (${code}).`;
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
