import { Module } from '@nestjs/common';
import { ApiKeyModule } from '@petstore/api-key';
import { readOrCreatePepper } from '@petstore/embedded-postgres';
import { ListenNotifyBus, FastLaneKeyLookup, StoredApiKeys, KeyUsageCounters } from '@petstore/persistence';
import { type Log, LOG } from '../logging/log.js';
import { StorageModule } from '../storage/storage.module.js';
import { STORAGE_SETTINGS, type StorageSettings } from '../storage/storage.settings.js';
import { ACCESS_SETTINGS, type AccessSettings } from './access.settings.js';
import { REALM } from './api-key.errors.js';
import { PETSTORE_SCOPES } from './petstore-scopes.js';

/** The keys of the service: in its database, with the events of their changes over LISTEN and NOTIFY. */
@Module({
  imports: [
    ApiKeyModule.forRootAsync({
      imports: [StorageModule],
      inject: [
        ACCESS_SETTINGS.KEY,
        STORAGE_SETTINGS.KEY,
        LOG,
        ListenNotifyBus,
        FastLaneKeyLookup,
        KeyUsageCounters,
        StoredApiKeys,
      ],
      useFactory: async (
        { apiKeyPepper, previousApiKeyPeppers, environment }: AccessSettings,
        { dataDir }: StorageSettings,
        log: Log,
        events: ListenNotifyBus,
        lookup: FastLaneKeyLookup,
        usage: KeyUsageCounters,
        repository: StoredApiKeys,
      ) => ({
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
      }),
    }),
  ],
  exports: [ApiKeyModule],
})
export class KeysModule {}
