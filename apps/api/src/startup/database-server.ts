import type { Configuration } from '@petstore/configuration';
import { startEmbeddedPostgres } from '@petstore/embedded-postgres';
import type { Log } from '../logging/log.js';

/** The PostgreSQL server that the service works on. */
export interface DatabaseServer {
  /** `postgres://` address, password included: never to be logged. */
  readonly url: string;
  /** Whether it is the service's own, in the data folder. */
  readonly embedded: boolean;
  /** Stops it if it is the service's own. */
  stop(): Promise<void>;
}

/** The server behind `DATABASE_URL`, or else the embedded PostgreSQL, which is started. */
export async function startDatabaseServer(
  { databaseUrl, dataDir }: Configuration,
  log: Log,
): Promise<DatabaseServer> {
  if (databaseUrl !== undefined) return serverElsewhere(databaseUrl, false);
  const server = await startEmbeddedPostgres({
    dataDir,
    log: (line) => {
      log.debug({ postgres: line }, 'embedded PostgreSQL');
    },
    observer: {
      died: ({ pid, said }) => {
        log.error({ pid, said }, 'embedded PostgreSQL died, restarting it');
      },
      stillAway: ({ error, nextMs }) => {
        log.error({ err: error, nextMs }, 'embedded PostgreSQL failed to start, retrying');
      },
      returned: ({ pid, afterMs }) => {
        log.info({ pid, afterMs }, 'embedded PostgreSQL restarted');
      },
    },
  });
  return { url: server.url, embedded: true, stop: () => server.stop() };
}

/** A server that somebody else starts and stops. */
export function serverElsewhere(url: string, embedded: boolean): DatabaseServer {
  return { url, embedded, stop: () => Promise.resolve() };
}
