import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiKeyAdministration, ApiKeyEventDispatcher, ApiKeyModule, subjectIdOf } from '@petstore/api-key';
import type { Express } from 'express';
import { ListenNotifyBus, KeyLookupStore, ApiKeyTables, KeyUsageCounters } from '@petstore/persistence';
import { RateLimiter } from '@petstore/rate-limit';
import { RateLimitModule } from '@petstore/rate-limit/nest';
import { type Log, LOG } from '../logging/log.js';
import { TelemetryModule } from '../observability/telemetry.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { STORAGE_SETTINGS, type StorageSettings } from '../storage/storage.settings.js';
import { ACCESS_SETTINGS, type AccessSettings } from './access.settings.js';
import { REALM } from './access.errors.js';
import { keyModeOf, keyModeWarning } from './key-mode.js';
import { PETSTORE_PLANS } from './petstore-plans.js';
import { PETSTORE_SCOPES } from './petstore-scopes.js';
import { PepperError, pepperProblem, peppersOf } from './pepper.js';
import { RateLimitTelemetry } from './rate-limit-telemetry.js';
import { createRedisClient, LIMIT_KEY_PREFIX } from './redis-client.js';
import { RequestSubjects } from './request-subjects.js';

/**
 * The keys of the service: in its database, with the events of their changes over LISTEN and NOTIFY; what a request consumes
 * from, and what is recorded of that.
 */
@Module({
  imports: [
    TelemetryModule,
    ApiKeyModule.forRootAsync({
      imports: [StorageModule],
      inject: [
        ACCESS_SETTINGS.KEY,
        STORAGE_SETTINGS.KEY,
        LOG,
        ListenNotifyBus,
        KeyLookupStore,
        KeyUsageCounters,
        ApiKeyTables,
      ],
      useFactory: async (
        access: AccessSettings,
        storage: StorageSettings,
        log: Log,
        events: ListenNotifyBus,
        lookup: KeyLookupStore,
        usage: KeyUsageCounters,
        repository: ApiKeyTables,
      ) => ({
        store: { lookup, usage, repository },
        ...(await peppersOf({ ...access, ...storage })),
        scopes: PETSTORE_SCOPES,
        plans: PETSTORE_PLANS,
        onUnknownPlan: (keyId, plan) => {
          log.error({ keyId, plan }, 'unknown plan, requests of its keys are refused');
        },
        mode: keyModeOf(access.environment),
        realm: REALM,
        events,
        usage: {
          onFailure: (error: unknown) => {
            log.warn({ err: error }, 'use of keys not written, retrying');
          },
          onRecovery: () => {
            log.info('use of keys written again');
          },
        },
      }),
    }),
  ],
  providers: [RateLimitTelemetry, RequestSubjects],
  exports: [ApiKeyModule, RateLimitTelemetry, RequestSubjects],
})
export class KeysModule implements OnModuleInit {
  constructor(
    private readonly keys: ApiKeyAdministration,
    @Inject(ACCESS_SETTINGS.KEY) private readonly settings: AccessSettings,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** @throws {PepperError} a start with another pepper would refuse every key */
  async onModuleInit(): Promise<void> {
    const problem = await pepperProblem(this.keys, this.settings);
    if (problem !== undefined) throw new PepperError(problem);
    const warning = await keyModeWarning(this.keys, this.settings.environment);
    if (warning !== undefined) this.log.warn(warning);
  }
}

/** The rate limits of keys and addresses. */
@Module({
  imports: [
    KeysModule,
    RateLimitModule.forRootAsync({
      imports: [KeysModule],
      inject: [ACCESS_SETTINGS.KEY, RateLimitTelemetry, RequestSubjects],
      useFactory: (
        { redisUrls, bans }: AccessSettings,
        observer: RateLimitTelemetry,
        { subjectOf }: RequestSubjects,
      ) => ({
        redis: redisUrls && createRedisClient(redisUrls),
        keyPrefix: LIMIT_KEY_PREFIX,
        subjectOf,
        bans: bans ? undefined : ('off' as const),
        observer,
      }),
    }),
  ],
  exports: [RateLimitModule, KeysModule],
})
export class LimitsModule implements OnModuleInit {
  constructor(
    events: ApiKeyEventDispatcher,
    limiter: RateLimiter,
    private readonly host: HttpAdapterHost,
    @Inject(ACCESS_SETTINGS.KEY) private readonly settings: AccessSettings,
  ) {
    // Without Redis a ban lives in this process, where the operator's tool cannot reach it.
    events.listen((event) => {
      if (event.kind === 'unbanned') void limiter.liftBan(subjectIdOf(event.keyId));
    });
  }

  /** Express says which address a request came from, through these proxies. */
  onModuleInit(): void {
    const { trustedProxies = [] } = this.settings;
    this.host.httpAdapter.getInstance<Express>().set('trust proxy', trustedProxies);
  }
}
