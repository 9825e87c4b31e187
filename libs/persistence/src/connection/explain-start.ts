import { isNativeError } from 'node:util/types';
import { ForeignSchemaError, isUnavailable, NoSessionError, sqlStateOf } from './database-errors.js';

/** The database cannot be used. The message names the variable, host and port, what pg says, and what to do about it. */
export class DatabaseStartError extends Error {
  override readonly name = 'DatabaseStartError';
}

/**
 * What to throw for an error of a start: a {@link DatabaseStartError} if it is the database's or of the way to it, else the
 * error.
 *
 * @param url as configured; only its host and port are in the message, and pg's own words hold no password
 * @param variable what the address is called where it is configured
 */
export function explainStart(error: unknown, url: string, variable: string): unknown {
  if (!isNativeError(error) || error instanceof DatabaseStartError) return error;
  const isOfDatabase =
    error instanceof NoSessionError || error instanceof ForeignSchemaError || sqlStateOf(error) !== undefined;
  if (!isOfDatabase && !isUnavailable(error)) return error;
  const said = rootOf(error);
  const advice = adviceFor(said);
  const message = `${variable}, ${addressIn(url)}: ${said.message}.${advice === undefined ? '' : ` ${advice}`}`;
  return new DatabaseStartError(message, { cause: error });
}

/** What to do about a {@link ForeignSchemaError}. */
const CARRY_OVER =
  'Remove the data folder of a trial, or import into a new database what "npm run export -- --format petstore" of the old ' +
  'version writes: animals with their profiles (sold ones with --include-sold, where that version has it); ids, orders, keys ' +
  'and webhooks are lost.';

type DriverError = Error & { readonly code?: string; readonly syscall?: string };

function adviceFor(error: DriverError): string | undefined {
  if (error instanceof ForeignSchemaError) return CARRY_OVER;
  const { code = '', syscall = '', message } = error;
  if (['connect', 'getaddrinfo'].includes(syscall) || message.includes('time'))
    return 'Nothing responds there: start PostgreSQL, or check host, port and firewall.';
  if (/^28|^3D/.test(code) || message.startsWith('SASL: '))
    return "Check user, password and database (percent-encode what is neither a letter nor a digit), and the server's pg_hba.conf.";
  if (code === '42501')
    return 'Run npm run migrate with a role that may change the schema, and grant this one what deploy/postgres/roles.sql does.';
  return undefined;
}

/** TypeORM wraps the driver's error, {@link NoSessionError} its reason; Node groups those of several addresses of one host. */
function rootOf(error: Error): DriverError {
  const { driverError, errors } = error as { readonly driverError?: unknown; readonly errors?: unknown[] };
  const inner = driverError ?? errors?.[0] ?? (error instanceof NoSessionError ? error.cause : undefined);
  return isNativeError(inner) && inner !== error ? rootOf(inner) : error;
}

function addressIn(url: string): string {
  const { hostname, port, searchParams } = new URL(url);
  return `${searchParams.get('host') ?? hostname}:${port === '' ? '5432' : port}`;
}
