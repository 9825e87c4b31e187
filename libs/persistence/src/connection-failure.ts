import { isNativeError } from 'node:util/types';

/** SQLSTATE classes and codes that say "not now" rather than "not this" (PostgreSQL manual, appendix A). */
const SQLSTATES = [
  '08', // connection exception
  '53', // insufficient resources: connections, memory, disk
  '57P', // shut down, crashed or still starting
  '57014', // statement cancelled by its time limit
  '55P03', // lock not available within its time limit
  '25006', // read-only: the primary has moved elsewhere
];

/** Error codes of Node's sockets and name look-ups. */
const SYSTEM_CODES: ReadonlySet<unknown> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENETDOWN', 'EHOSTDOWN', 'ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EMFILE', 'ENFILE'],
]);

/** What pg itself says, in errors that carry no code. */
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;

/**
 * Whether an error of TypeORM or pg means that the database could not be reached or did not answer in time,
 * as opposed to a statement that it refused.
 */
export function isConnectionFailure(error: unknown): boolean {
  // Not `instanceof Error`: one that Node itself makes belongs to another realm where tests run in a context.
  if (!isNativeError(error)) return false;
  const { code, driverError, errors } = error as Error & DriverDetails;
  // TypeORM wraps the driver's error; Node groups those of several addresses of one host.
  if (isNativeError(driverError) && driverError !== error) return isConnectionFailure(driverError);
  if (errors !== undefined) return errors.some(isConnectionFailure);
  if (SYSTEM_CODES.has(code) || MESSAGES.test(error.message)) return true;
  return code?.length === 5 && SQLSTATES.some((prefix) => code.startsWith(prefix));
}

interface DriverDetails {
  readonly code?: string;
  readonly driverError?: unknown;
  readonly errors?: readonly unknown[];
}
