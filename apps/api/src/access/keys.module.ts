import { Module } from '@nestjs/common';
import { ApiKeyModule, RedisApiKeyEventBus } from '@petstore/api-key';
import { readOrCreatePepper } from '@petstore/embedded-postgres';
import { type Configuration, CONFIGURATION } from '../configuration/configuration.js';
import {
  PostgresApiKeyEventBus,
  PostgresApiKeyLookup,
  PostgresApiKeyRepository,
  PostgresKeyUsageStore,
} from '@petstore/persistence';
import { PETSTORE_SCOPES } from './petstore-scopes.js';
import { type Log, LOG } from '../logging/log.js';
import { KeyEventMetrics } from '../observability/key-event-metrics.js';
import { TelemetryModule } from '../observability/telemetry.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { REALM } from './api-key.errors.js';

/** The keys of the service: in its database, with the events of their changes over Redis or PostgreSQL. */
@Module({
  imports: [
    ApiKeyModule.forRootAsync({
      imports: [StorageModule, TelemetryModule],
      inject: [
        CONFIGURATION,
        LOG,
        KeyEventMetrics,
        PostgresApiKeyEventBus,
        PostgresApiKeyLookup,
        PostgresKeyUsageStore,
        PostgresApiKeyRepository,
      ],
      useFactory: async (
        configuration: Configuration,
        log: Log,
        keyEvents: KeyEventMetrics,
        postgresEvents: PostgresApiKeyEventBus,
        lookup: PostgresApiKeyLookup,
        usage: PostgresKeyUsageStore,
        repository: PostgresApiKeyRepository,
      ) => {
        const { apiKeyPepper, previousApiKeyPeppers, dataDir, environment, redisUrls } = configuration;
        return {
          store: { lookup, usage, repository },
          pepper: apiKeyPepper ?? (await readOrCreatePepper(dataDir)),
          previousPeppers: previousApiKeyPeppers,
          scopes: PETSTORE_SCOPES,
          kind: environment === 'production' ? 'live' : 'test',
          realm: REALM,
          events: redisUrls === undefined ? postgresEvents : new RedisApiKeyEventBus(redisUrls, keyEvents),
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
