import { Module } from '@nestjs/common';
import { ApiKeyModule } from '@petstore/api-key';
import { readOrCreatePepper } from '@petstore/embedded-postgres';
import { type Configuration, CONFIGURATION } from '../configuration/configuration.js';
import { ListenNotifyBus, FastLaneKeyLookup, StoredApiKeys, KeyUsageCounters } from '@petstore/persistence';
import { PETSTORE_SCOPES } from './petstore-scopes.js';
import { type Log, LOG } from '../logging/log.js';
import { StorageModule } from '../storage/storage.module.js';
import { REALM } from './api-key.errors.js';

/** The keys of the service: in its database, with the events of their changes over LISTEN and NOTIFY. */
@Module({
  imports: [
    ApiKeyModule.forRootAsync({
      imports: [StorageModule],
      inject: [CONFIGURATION, LOG, ListenNotifyBus, FastLaneKeyLookup, KeyUsageCounters, StoredApiKeys],
      useFactory: async (
        configuration: Configuration,
        log: Log,
        events: ListenNotifyBus,
        lookup: FastLaneKeyLookup,
        usage: KeyUsageCounters,
        repository: StoredApiKeys,
      ) => {
        const { apiKeyPepper, previousApiKeyPeppers, dataDir, environment } = configuration;
        return {
          store: { lookup, usage, repository },
          pepper: apiKeyPepper ?? (await readOrCreatePepper(dataDir)),
          previousPeppers: previousApiKeyPeppers,
          scopes: PETSTORE_SCOPES,
          kind: environment === 'production' ? 'live' : 'test',
          realm: REALM,
          events,
          usage: {
            onFailure: (error: unknown) => {
              log.warn({ err: error }, 'use of keys not written, retrying');
            },
          },
        };
      },
    }),
  ],
  exports: [ApiKeyModule],
})
export class KeysModule {}
