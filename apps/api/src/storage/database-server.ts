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
  /** Resolves when the service's own server has ended, stopped or by itself, with what it wrote last. */
  readonly ended?: Promise<string>;
  /** Stops the server if it is the service's own. */
  stop(): Promise<void>;
}

/** The server behind `DATABASE_URL`, or else the embedded PostgreSQL, which is started. */
export async function startDatabaseServer(
  { databaseUrl, dataDir }: Pick<StorageSettings, 'databaseUrl' | 'dataDir'>,
  log: Log,
): Promise<DatabaseServer> {
  if (databaseUrl !== undefined) return serverElsewhere(databaseUrl);
  const { url, ended, stop } = await startEmbeddedPostgres({
    dataDir,
    log: (line) => {
      log.debug({ postgres: line }, 'embedded PostgreSQL output');
    },
  });
  return { url, embedded: true, ended, stop };
}

/** A server that is started and stopped elsewhere. */
export function serverElsewhere(url: string): DatabaseServer {
  return { url, embedded: false, stop: () => Promise.resolve() };
}
