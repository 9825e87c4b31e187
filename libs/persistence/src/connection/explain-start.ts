import { isNativeError } from 'node:util/types';
import { isConnectionFailure } from './connection-failure.js';
import { DatabaseStartError } from './database-start.error.js';
import { NoAnswerError, NoSessionError } from './no-answer.error.js';
import { PoolerRefusedError, toPoolerRefusal } from './pooler-refusal.js';
import { AuthenticationRefusedError, RequireAuthError } from './require-auth.js';
import { UnsuitableDatabaseError } from './unsuitable-database.error.js';

/**
 * An error that says what to do about a database that could not be opened or migrated; the error itself where that is
 * not known.
 *
 * @param url as configured; nothing of its password is in the message
 * @param variable what the address is called where it is configured
 */
export function explainStart(error: unknown, url: string, variable: string): unknown {
  if (!isNativeError(error) || error instanceof DatabaseStartError) return error;
  // A pooler may also refuse the first query.
  const reason = reasonOf(toPoolerRefusal(rootOf(error)) as Failure, url);
  if (reason === undefined) return error;
  return new DatabaseStartError(`${variable} is ${withoutSecrets(url)}: ${reason}`, { cause: error });
}

/** The address as it may be shown: who, where and what, and none of its parameters. */
function withoutSecrets(url: string): string {
  const { protocol, username, hostname, port, pathname, searchParams } = new URL(url);
  const password = new URL(url).password === '' ? '' : ':***';
  const who = username === '' ? '' : `${decoded(username)}${password}@`;
  const folder = searchParams.get('host');
  const where = folder ?? `${hostname}${port === '' ? '' : `:${port}`}`;
  return `${protocol}//${who}${where}${folder === null ? '' : ' '}${decoded(pathname)}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

interface Failure extends Error {
  readonly code?: string;
  readonly severity?: string;
  readonly syscall?: string;
  readonly path?: string;
  readonly driverError?: unknown;
  readonly errors?: readonly unknown[];
}

/** TypeORM wraps the driver's error; Node groups those of several addresses of one host. */
function rootOf(error: Failure): Failure {
  const inner = error instanceof NoSessionError ? error.cause : (error.driverError ?? error.errors?.[0]);
  return isNativeError(inner) && inner !== error ? rootOf(inner) : error;
}

/** By SQLSTATE (PostgreSQL manual, appendix A). The server's own words name roles, databases and hosts only. */
const BY_SQLSTATE: Readonly<Record<string, (said: string, database: string) => string>> = {
  '28P01': (said) =>
    `the server refuses the password (${said}). Check the user and the password; in a URL, percent-encode what is ` +
    'neither a letter nor a digit.',
  '28000': (said) =>
    `the server does not let this user in from here (${said}). Check the user, and pg_hba.conf of the server; ` +
    'where it speaks of "no encryption", add sslmode=verify-full to the URL.',
  '3D000': (_said, database) =>
    `there is no such database. Create it with: CREATE DATABASE "${database}" ENCODING 'UTF8' TEMPLATE template0`,
  '42501': (said) =>
    `this user lacks a right (${said}). Run npm run migrate as a user that may change the schema, and grant ` +
    'this one select, insert, update and delete on its tables; or let it: GRANT USAGE, CREATE ON SCHEMA public TO the user.',
  '53300': (said) => `the server takes no more connections (${said}). End some, or raise the limit.`,
  '57P03': (said) => `the server takes no connections yet, or no more (${said}). Try again when it is up.`,
  '08P01': (said) => `the server does not speak as PostgreSQL does (${said}).`,
};

const TLS_CODES =
  /^(ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO)/;

/** What pg's pool says when the server took no connection in time. */
const POOL_TIMEOUT = /^(Connection terminated due to connection timeout|timeout exceeded when trying)/;

function reasonOf(error: Failure, url: string): string | undefined {
  const { code = '', message, syscall } = error;
  if (
    error instanceof UnsuitableDatabaseError ||
    error instanceof PoolerRefusedError ||
    error instanceof AuthenticationRefusedError ||
    error instanceof RequireAuthError
  )
    return message;
  if (/WAL sender|(?:replication|standby) connection/.test(message))
    return 'the parameter replication of the URL, or PGREPLICATION, makes sessions that cannot query. Take it out.';
  const bySqlState = 'severity' in error ? BY_SQLSTATE[code] : undefined;
  if (bySqlState !== undefined) return bySqlState(message, decoded(new URL(url).pathname.slice(1)));
  if (/does not support SSL connections|error establishing an SSL connection/.test(message)) {
    return 'the server does not offer TLS. Turn it on there, or add sslmode=disable to the URL if the way to it is safe.';
  }
  if (/sslnegotiation|sslmode|libpqcompat/i.test(message))
    return `a parameter of the URL, or PGSSLMODE or PGSSLNEGOTIATION, is wrong (${message}).`;
  if (TLS_CODES.test(code)) {
    return (
      `the certificate of the server is not trusted (${code}). Name that of its authority with ` +
      'sslmode=verify-full&sslrootcert=/path/to/ca.pem in the URL.'
    );
  }
  if (code === 'ENOENT' && syscall === 'open')
    return 'a file of certificates that the URL names cannot be found.';
  if (code === 'EACCES' && syscall === 'open')
    return 'a file of certificates that the URL names cannot be read.';
  if (message.startsWith('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password')) {
    return 'the server asks for a password, and the URL holds none.';
  }
  if (message.startsWith('SASL: '))
    return 'who answers there does not know the password, as the server would.';
  if (code === 'ECONNREFUSED')
    return 'no server listens there (ECONNREFUSED). Start PostgreSQL, or check host and port.';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `the host cannot be found (${code}). Check its name.`;
  if (error instanceof NoAnswerError || POOL_TIMEOUT.test(message))
    return 'no server responds there in time. Check host, port and firewall, and that a pooler in between has a session free.';
  if (error.severity === 'FATAL')
    return `the server refuses the session (${message}). Check the parameters of the URL, and PGOPTIONS.`;
  if (!isConnectionFailure(error)) return undefined;
  return `it cannot be reached${code === '' ? '' : ` (${code})`}. Check that PostgreSQL runs there.`;
}
