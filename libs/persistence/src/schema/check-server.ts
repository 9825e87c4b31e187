import type { DataSource } from 'typeorm';
import { UnsuitableDatabaseError } from '../connection/unsuitable-database.error.js';

/** Major versions of PostgreSQL that the service is tested with. */
const OLDEST = 15;
const NEWEST = 18;

/**
 * @throws {UnsuitableDatabaseError} when the server has another version, or the database could not hold every name:
 * those are any Unicode text, and their length is counted in code points.
 */
export async function checkServer(dataSource: DataSource): Promise<void> {
  const [found] = await dataSource.query<ServerFacts[]>(
    `select current_setting('server_encoding') as encoding, current_setting('server_version') as version,
            current_setting('server_version_num')::int / 10000 as major, current_database() as database`,
  );
  if (found === undefined) return;
  if (found.major < OLDEST || found.major > NEWEST) {
    throw new UnsuitableDatabaseError(
      `The database server is PostgreSQL ${found.version}; versions ${OLDEST} to ${NEWEST} are supported.`,
    );
  }
  if (found.encoding !== 'UTF8') {
    throw new UnsuitableDatabaseError(
      `The database ${found.database} has the encoding ${found.encoding}, and UTF8 is needed. ` +
        `Create one with: CREATE DATABASE petstore ENCODING 'UTF8' TEMPLATE template0`,
    );
  }
}

interface ServerFacts {
  readonly encoding: string;
  readonly version: string;
  readonly major: number;
  readonly database: string;
}
