import 'reflect-metadata';
import type { Caller } from '@petstore/api-key';
import pg, { type Pool } from 'pg';
import { DataSource, type Logger } from 'typeorm';
import { MIGRATIONS } from '../migrations/migrations.js';
import { ENTITIES } from './entities.js';
import { databasePool, type DatabaseClientConfig } from '../connection/database-client.js';
import type { ReplicaState } from '../database/read-replica.js';

export interface DataSourceSettings {
  /** `postgresql://` address, with whatever libpq-style parameters it carries (`sslmode`, ...). */
  readonly url: string;
  /** `postgresql://` address of a replica, which serves reads that may be some seconds old; none unless given. */
  readonly readUrl?: string | undefined;
  /** Called when it changes who serves such reads. */
  readonly onReplicaChange?: (state: ReplicaState) => void;
  /** How old such reads may be while the primary does not respond, in milliseconds; 30,000 unless given. */
  readonly maxAgeAloneMs?: number;
  /** Whether a key may be looked up on the replica while the primary does not respond; none may unless given. */
  readonly mayLag?: (caller: Pick<Caller, 'scopes'>) => boolean;
  /** What the address is called where it is configured, for messages; `DATABASE_URL` unless given. */
  readonly variable?: string;
  /** Told of connections that broke while idle; the pool replaces them by itself. */
  readonly onIdleError?: (error: Error) => void;
  /** What the sessions are called in `pg_stat_activity`. */
  readonly applicationName?: string;
  /** Most connections of the pool at a time. */
  readonly poolSize?: number;
  /** Milliseconds within which a query returns; it fails within 1.2 times as long. 1,400 unless given. */
  readonly answerTimeoutMs?: number | undefined;
}

/** Where the address is configured unless given. */
export const VARIABLE = 'DATABASE_URL';

/** Connections of the pool unless given. */
export const POOL_SIZE = 12;

/** For a connection that no request waits for: longer than what `DatabaseClient` waits for a session. */
const CONNECT_TIMEOUT_MS = 6_000;

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
 * @param onPool is given the pool when TypeORM makes it
 */
export function createDataSource(
  settings: DataSourceSettings,
  client?: DatabaseClientConfig,
  onPool: (pool: Pool) => void = () => undefined,
): DataSource {
  const { url, onIdleError = () => undefined, applicationName = 'petstore', poolSize = POOL_SIZE } = settings;
  return new DataSource({
    type: 'postgres',
    // TypeORM would look for the package from the bundle, where it is not installed.
    driver: { ...pg, Pool: databasePool(onPool) },
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
    poolErrorHandler: onIdleError,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    // One connection stays, so that others who need connections cannot take them all while it is quiet here.
    extra: { keepAlive: true, min: 1, ...client },
  });
}
