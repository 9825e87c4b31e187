import 'reflect-metadata';
import type { Caller } from '@petstore/api-key';
import pg from 'pg';
import { DataSource, type Logger } from 'typeorm';
import { MIGRATIONS } from '../migrations/migrations.js';
import { ENTITIES } from './entities.js';
import { type DatabaseClientConfig, DatabasePool } from '../connection/database-client.js';
import type { ReplicaState } from '../database/read-replica.js';

export interface DataSourceSettings {
  /** `postgresql://` address, with whatever libpq-style parameters it carries (`sslmode`, ...). */
  readonly url: string;
  /** `postgresql://` address of a replica, which serves reads that may be some seconds old; none unless given. */
  readonly readUrl?: string | undefined;
  /** Called when it changes who serves such reads. */
  readonly onReplicaChange?: (state: ReplicaState) => void;
  /** How old such reads may be while the primary does not respond, in milliseconds; 30,000 unless given. */
  readonly maxStandaloneAgeMs?: number;
  /** Whether a key may be looked up on the replica while the primary does not respond; none may unless given. */
  readonly allowStale?: (caller: Pick<Caller, 'scopes'>) => boolean;
  /** What the address is called where it is configured, for messages; `DATABASE_URL` unless given. */
  readonly variable?: string;
  /** Called when no session can be begun any more, with the reason, and when one can again. */
  readonly onSessionAttempt?: (refusal: Error | undefined) => void;
  /** What the sessions are called in `pg_stat_activity`. */
  readonly applicationName?: string;
  /** Most connections of the pool at a time. */
  readonly poolSize?: number;
  /** Milliseconds within which a call returns or fails once it has its turn; 1,400 unless given. */
  readonly responseTimeoutMs?: number | undefined;
}

/** Where the address is configured unless given. */
export const VARIABLE = 'DATABASE_URL';

/** Connections of the pool unless given. */
export const POOL_SIZE = 12;

/** For a connection that no request waits for. */
const CONNECT_TIMEOUT_MS = 5_000;

const nothing = (): void => undefined;

/** TypeORM prints nothing by itself: errors are thrown, and the service has one log. */
const SILENT: Logger = {
  log: nothing,
  logMigration: nothing,
  logQuery: nothing,
  logQueryError: nothing,
  logQuerySlow: nothing,
  logSchemaBuild: nothing,
};

/**
 * The data source over all tables of the service; not yet connected. The schema changes by migrations only.
 *
 * @param client settings of each session
 */
export function createDataSource(settings: DataSourceSettings, client?: DatabaseClientConfig): DataSource {
  const { url, applicationName = 'petstore', poolSize = POOL_SIZE } = settings;
  return new DataSource({
    type: 'postgres',
    // TypeORM would look for the package from the bundle, where it is not installed.
    driver: { ...pg, Pool: DatabasePool },
    url,
    entities: [...ENTITIES],
    migrations: [...MIGRATIONS],
    migrationsTableName: 'schema_migrations',
    synchronize: false,
    logger: SILENT,
    // No column needs an extension, and the role of the service need not be allowed to make one.
    installExtensions: false,
    applicationName,
    poolSize,
    poolErrorHandler: nothing,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    // One connection stays, so that others who need connections cannot take them all while it is quiet here.
    extra: { min: 1, ...client },
  });
}
