import { Module } from '@nestjs/common';
import { PersistenceModule, type ReplicaState } from '@petstore/persistence';
import { type Log, LOG } from '../logging/log.js';
import { DATABASE_SERVER, type DatabaseServer } from './database-server.js';
import { allowStale } from './allow-stale.js';
import { STORAGE_SETTINGS, type StorageSettings } from './storage.settings.js';

const REPLICA_STATES: Readonly<Record<ReplicaState, string>> = {
  serving: 'the replica of the database serves reads, the primary responds',
  standalone: 'the primary of the database does not respond, the replica alone serves reads',
  excluded: 'the replica of the database is left out',
};

/** The stores of the service, in its database. They close after all that use them. */
@Module({
  imports: [
    PersistenceModule.forRootAsync({
      inject: [STORAGE_SETTINGS.KEY, DATABASE_SERVER, LOG],
      useFactory: (
        settings: StorageSettings,
        { url, embedded, responseTimeoutMs }: DatabaseServer,
        log: Log,
      ) => ({
        database: {
          url,
          readUrl: settings.databaseReadUrl,
          responseTimeoutMs,
          onReplicaChange: (state: ReplicaState) => {
            log[state === 'serving' ? 'info' : 'warn'](REPLICA_STATES[state]);
          },
          allowStale,
          ...(embedded && { variable: 'The embedded database' }),
          onSessionAttempt: (refusal: Error | undefined) => {
            if (refusal === undefined) log.info('database takes connections again');
            else log.warn({ err: refusal }, 'database takes no connections');
          },
        },
        log,
        eventRetentionDays: settings.eventRetentionDays,
        runsJobs: settings.worker,
        migrated: (migrations: readonly string[]) => {
          log.info({ migrations }, 'database schema migrated');
        },
      }),
    }),
  ],
  exports: [PersistenceModule],
})
export class StorageModule {}
