import { isNativeError } from 'node:util/types';

/** What PgBouncer 1.18 to 1.25 says, all with the SQLSTATE of a broken protocol, and what it means. */
const REFUSALS: readonly { readonly says: RegExp; readonly means: string }[] = [
  {
    says: /server login has been failing|client_login_timeout|server_login_retry/,
    means: 'cannot log in to PostgreSQL; check that PostgreSQL runs, and its log',
  },
  {
    says: /query_wait_timeout/,
    means:
      'had no session of PostgreSQL free in time; raise default_pool_size, and check that PostgreSQL runs',
  },
  {
    says: /no more connections allowed|connections exceeded|max_client_conn|resources exhaustion/,
    means: 'takes no more clients; raise max_client_conn, or end some',
  },
  { says: /shutting down|pause failed|suspend_timeout/, means: 'shuts down or is paused' },
  {
    says: /no such database|database .* (?:does not exist|is disabled)/,
    means: 'does not serve this database; name it in [databases]',
  },
  {
    says: /no such user|authentication failed|auth failed|login rejected/,
    means: 'refuses the user or the password; compare them with auth_file or auth_query',
  },
  {
    says: /(?:SSL|TLS connection) required/,
    means: 'takes connections with TLS only; add sslmode=verify-full to the URL',
  },
  {
    says: /TLS client certificate required/,
    means: 'asks for a client certificate; name its files with sslcert and sslkey in the URL',
  },
  { says: /bouncer config error/, means: 'is not configured correctly; see its log' },
  {
    says: /unsupported (?:options )?startup parameter/,
    means:
      'refuses a parameter that the URL or PGOPTIONS sets; take it out, or name it in ignore_startup_parameters',
  },
];

/** SQLSTATE of all that a pooler refuses itself. */
const PROTOCOL_VIOLATION = '08P01';

/** A connection pooler in between gave no session. The message says why. */
export class PoolerRefusedError extends Error {
  override readonly name = 'PoolerRefusedError';
  readonly code = PROTOCOL_VIOLATION;
}

/** {@link PoolerRefusedError} for what a pooler says instead of beginning a session; any other error as it is. */
export function toPoolerRefusal(error: unknown): unknown {
  if (error instanceof PoolerRefusedError || !isNativeError(error)) return error;
  if ((error as Error & { code?: unknown }).code !== PROTOCOL_VIOLATION) return error;
  const refusal = REFUSALS.find(({ says }) => says.test(error.message));
  if (refusal === undefined) return error;
  const message = `A connection pooler in between ${refusal.means} (${error.message}).`;
  return new PoolerRefusedError(message, { cause: error });
}
