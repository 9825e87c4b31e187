import { Module } from '@nestjs/common';
import { type Configuration, CONFIGURATION } from '../configuration/configuration.js';
import { PersistenceModule } from '@petstore/persistence';
import { type Log, LOG } from '../logging/log.js';
import { DATABASE_SERVER, type DatabaseServer } from './database-server.js';

/** The stores of the service, in its database. They close after all that use them. */
@Module({
  imports: [
    PersistenceModule.forRootAsync({
      inject: [CONFIGURATION, DATABASE_SERVER, LOG],
      useFactory: (configuration: Configuration, { url, embedded }: DatabaseServer, log: Log) => ({
        database: {
          url,
          readUrl: configuration.databaseReadUrl,
          onReplicaChange: (isServing: boolean) => {
            if (isServing) log.info('the replica of the database serves reads');
            else log.warn('the replica of the database is left out, the primary serves all reads');
          },
          ...(embedded && { variable: 'The embedded database' }),
          onIdleError: (error: Error) => {
            log.warn({ err: error }, 'idle database connection lost');
          },
        },
        log,
        eventRetentionDays: configuration.eventRetentionDays,
        runsJobs: configuration.worker,
        migrated: (migrations: readonly string[]) => {
          log.info({ migrations }, 'database schema migrated');
        },
      }),
    }),
  ],
  exports: [PersistenceModule],
})
export class StorageModule {}
