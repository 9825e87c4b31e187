import { startEmbeddedPostgres } from '@petstore/embedded-postgres';
import type { Log } from '../logging/log.js';
import type { StorageSettings } from './storage.settings.js';

/** Injects the {@link DatabaseServer}. */
export const DATABASE_SERVER = Symbol('DatabaseServer');

/** The PostgreSQL server that the service works on. */
export interface DatabaseServer {
  /** `postgres://` address, password included: never to be logged. */
  readonly url: string;
  /** Whether the server is the service's own, with its data in the data folder. */
  readonly embedded: boolean;
  /** Milliseconds within which a query returns; 1,400 unless given. */
  readonly responseTimeoutMs?: number | undefined;
  /** Stops the server if it is the service's own. */
  stop(): Promise<void>;
}

/**
 * The server behind `DATABASE_URL`, or else the embedded PostgreSQL, which is started.
 *
 * @param cancel ends the start of the embedded PostgreSQL, and rejects
 */
export async function startDatabaseServer(
  { databaseUrl, dataDir }: Pick<StorageSettings, 'databaseUrl' | 'dataDir'>,
  log: Log,
  cancel?: AbortSignal,
): Promise<DatabaseServer> {
  if (databaseUrl !== undefined) return serverElsewhere(databaseUrl);
  const server = await startEmbeddedPostgres({
    dataDir,
    cancel,
    log: (line) => {
      log.debug({ postgres: line }, 'embedded PostgreSQL output');
    },
    observer: {
      died: ({ pid, said }) => {
        log.error({ pid, said }, 'embedded PostgreSQL died, restarting it');
      },
      restartFailed: ({ error, nextMs }) => {
        log.error({ err: error, nextMs }, 'embedded PostgreSQL failed to start, retrying');
      },
      restarted: ({ pid, afterMs }) => {
        log.info({ pid, afterMs }, 'embedded PostgreSQL restarted');
      },
    },
  });
  return { url: server.url, embedded: true, stop: () => server.stop() };
}

/** A server that is started and stopped elsewhere. */
export function serverElsewhere(url: string): DatabaseServer {
  return { url, embedded: false, stop: () => Promise.resolve() };
}
