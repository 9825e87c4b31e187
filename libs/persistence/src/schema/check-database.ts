import { checkPooling } from '../connection/check-pooling.js';
import { Deadline } from '../connection/deadline.js';
import { endClient, openClient } from '../connection/pg-client.js';
import { UnsuitableDatabaseError } from '../connection/unsuitable-database.error.js';

/** Major versions of PostgreSQL that the service is tested with. */
const OLDEST = 15;
const NEWEST = 18;

/** For all checks. */
const TIMEOUT_MS = 5_000;

/** As the role, the database, the URL or `PGOPTIONS` have it: of a session that has set nothing itself. */
const FACTS = `
  select current_setting('server_encoding') as encoding, current_setting('server_version') as version,
         current_setting('server_version_num')::int / 10000 as major, current_database() as database,
         pg_is_in_recovery() as "isStandby", current_setting('default_transaction_read_only') = 'on' as "isReadOnly",
         current_schema() is null as "hasNoSchema", current_setting('search_path') as path,
         current_setting('session_replication_role') as "replicationRole"`;

interface ServerFacts {
  readonly encoding: string;
  readonly version: string;
  readonly major: number;
  readonly database: string;
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
  readonly hasNoSchema: boolean;
  readonly path: string;
  readonly replicationRole: string;
}

/**
 * Looks at the database through a session that sets nothing: until it is known that no pooler gives it to another client
 * next, and to see what the role and the database set.
 *
 * @throws {UnsuitableDatabaseError} when the server has another version, the database could not hold every name (those
 * are any Unicode text, and their length is counted in code points), sessions could not write, or a pooler does not keep
 * them
 */
export async function checkDatabase(url: string): Promise<void> {
  const config = { connectionString: url, application_name: 'petstore check', isBare: true };
  const session = await openClient(config);
  const deadline = new Deadline(session, TIMEOUT_MS);
  try {
    // Prepared, as the service's own statements are: some sessions cannot.
    const [found] = (await session.query<ServerFacts>({ name: 'facts', text: FACTS })).rows;
    const reason = found === undefined ? undefined : unsuitable(found);
    if (reason !== undefined) throw new UnsuitableDatabaseError(reason);
    await checkPooling(session, config);
  } catch (error) {
    throw deadline.error ?? error;
  } finally {
    deadline.cancel();
    await endClient(session);
  }
}

function unsuitable(found: ServerFacts): string | undefined {
  if (found.major < OLDEST || found.major > NEWEST)
    return `The database server is PostgreSQL ${found.version}; versions ${OLDEST} to ${NEWEST} are supported.`;
  if (found.encoding !== 'UTF8')
    return (
      `The database ${found.database} has the encoding ${found.encoding}, and UTF8 is needed. ` +
      `Create one with: CREATE DATABASE petstore ENCODING 'UTF8' TEMPLATE template0`
    );
  if (found.isStandby)
    return 'The server is a standby, which takes no writes. Name its primary; a standby may be DATABASE_READ_URL.';
  if (found.isReadOnly)
    return (
      'The sessions of this user cannot write (default_transaction_read_only is on). Reset it for the role, the ' +
      'database or the server, or free space if your provider has set it because the disk is full.'
    );
  if (found.hasNoSchema)
    return (
      `The search_path of this user is ${found.path === '' ? 'empty' : found.path}, and names no schema that exists ` +
      'and that it may use. Reset it, or GRANT USAGE ON SCHEMA public TO the user.'
    );
  if (found.replicationRole !== 'origin')
    return (
      `The setting session_replication_role of this user is ${found.replicationRole}, which turns triggers and ` +
      'foreign keys off. Reset it for the role and the database.'
    );
  return undefined;
}
