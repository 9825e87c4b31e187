import { Module } from '@nestjs/common';
import { type Configuration, CONFIGURATION } from '../configuration/configuration.js';
import { PersistenceModule, type ReplicaState } from '@petstore/persistence';
import { mayLag } from '../access/petstore-scopes.js';
import { type Log, LOG } from '../logging/log.js';
import { DATABASE_SERVER, type DatabaseServer } from './database-server.js';

const REPLICA_STATES: Readonly<Record<ReplicaState, string>> = {
  serving: 'the replica of the database serves reads, the primary responds',
  alone: 'the primary of the database does not respond, the replica alone serves reads',
  left_out: 'the replica of the database is left out',
};

/** The stores of the service, in its database. They close after all that use them. */
@Module({
  imports: [
    PersistenceModule.forRootAsync({
      inject: [CONFIGURATION, DATABASE_SERVER, LOG],
      useFactory: (configuration: Configuration, { url, embedded }: DatabaseServer, log: Log) => ({
        database: {
          url,
          readUrl: configuration.databaseReadUrl,
          onReplicaChange: (state: ReplicaState) => {
            log[state === 'serving' ? 'info' : 'warn'](REPLICA_STATES[state]);
          },
          mayLag,
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
