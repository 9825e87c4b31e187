import type { DataSource } from 'typeorm';

/** The oldest major version of PostgreSQL that the service works with. */
const OLDEST = 14;

/** The database behind the address works, but not for this service. */
export class UnsuitableDatabase extends Error {
  override readonly name = 'UnsuitableDatabase';
}

/**
 * @throws {UnsuitableDatabase} when the server is too old, or the database could not hold every name:
 * those are any Unicode text, and their length is counted in code points.
 */
export async function checkServer(dataSource: DataSource): Promise<void> {
  const [found] = await dataSource.query<ServerFacts[]>(
    `select current_setting('server_encoding') as encoding, current_setting('server_version') as version,
            current_setting('server_version_num')::int / 10000 as major, current_database() as database`,
  );
  if (found === undefined) return;
  if (found.major < OLDEST) {
    throw new UnsuitableDatabase(
      `The database server is PostgreSQL ${found.version}; version ${OLDEST} or later is needed.`,
    );
  }
  if (found.encoding !== 'UTF8') {
    throw new UnsuitableDatabase(
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
