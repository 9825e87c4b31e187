import { isNativeError } from 'node:util/types';
import { NoAnswerError, NoSessionError, SilentServerError } from './no-answer.error.js';

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

/** SQLSTATE of a server that is starting or stopping. */
const CANNOT_CONNECT_NOW = '57P03';

/** Error codes of Node's sockets and name look-ups. */
const NETWORK_CODES: ReadonlySet<unknown> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENETDOWN', 'EHOSTDOWN', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT'],
]);
/** Errors of this process itself: too many sockets. */
const OWN_CODES: ReadonlySet<unknown> = new Set(['EADDRNOTAVAIL', 'EMFILE', 'ENFILE']);

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
  return holds(error, (one) => {
    if (one instanceof NoAnswerError) return true;
    const { name, code, message, routine } = one;
    if (NETWORK_CODES.has(code) || OWN_CODES.has(code) || MESSAGES.test(message)) return true;
    if (BROKEN_TRANSACTION.has(name) || routine === STALE_PLAN) return true;
    return code?.length === 5 && SQLSTATES.some((prefix) => code.startsWith(prefix));
  });
}

/**
 * Whether an error means that there is no server, or none that lets this service in, so that another connection would not
 * help. A lock timeout, a statement timeout and a full pool do not.
 */
export function isUnreachable(error: unknown): boolean {
  return holds(
    error,
    (one) =>
      one instanceof SilentServerError ||
      one instanceof NoSessionError ||
      NETWORK_CODES.has(one.code) ||
      one.code === CANNOT_CONNECT_NOW,
  );
}

function holds(error: unknown, judge: (error: DriverError) => boolean): boolean {
  // Not `instanceof Error`: one that Node itself makes belongs to another realm where tests run in a context.
  if (!isNativeError(error)) return false;
  const { driverError, errors } = error as DriverError;
  // TypeORM wraps the driver's error; Node groups those of several addresses of one host.
  if (isNativeError(driverError) && driverError !== error) return holds(driverError, judge);
  if (errors !== undefined) return errors.some((each) => holds(each, judge));
  return judge(error);
}

interface DriverError extends Error {
  readonly code?: string;
  readonly routine?: string;
  readonly driverError?: unknown;
  readonly errors?: readonly unknown[];
}
