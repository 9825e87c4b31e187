import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { ENTITIES } from './entities.js';
import { MIGRATIONS } from './migrations.js';
import { SILENT } from './silent.logger.js';

export interface DataSourceSettings {
  /** `postgresql://` address, with whatever libpq-style parameters it carries (`sslmode`, ...). */
  readonly url: string;
  /** Told of connections that broke while nobody used them; the pool replaces them by itself. */
  readonly onIdleError?: (error: Error) => void;
  /** What the sessions are called in `pg_stat_activity`. */
  readonly applicationName?: string;
  /** Most connections at a time. */
  readonly poolSize?: number;
}

/** Limits that keep one bad moment of the database from becoming a queue of requests, in milliseconds. */
const LIMITS = {
  /** To be given a connection, a new one or one of the pool. */
  connect: 3_000,
  /** For one statement, counted by the server. */
  statement: 5_000,
  /** To wait for another transaction's lock. */
  lock: 2_000,
  /** For a transaction in which nothing happens. */
  idleInTransaction: 10_000,
  /** For an answer, counted here: a server that vanished without a word gives none. */
  answer: 10_000,
};

/** The data source over all tables of the service; not yet connected. The schema changes by migrations only. */
export function createDataSource(settings: DataSourceSettings): DataSource {
  const { url, onIdleError = () => undefined, applicationName = 'petstore', poolSize = 10 } = settings;
  return new DataSource({
    type: 'postgres',
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
    connectTimeoutMS: LIMITS.connect,
    extra: {
      statement_timeout: LIMITS.statement,
      lock_timeout: LIMITS.lock,
      idle_in_transaction_session_timeout: LIMITS.idleInTransaction,
      query_timeout: LIMITS.answer,
      keepAlive: true,
    },
  });
}
