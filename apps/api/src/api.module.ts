import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { ApiKeyGuard, type ApiKeyCache, type KeyUsageLog } from '@petstore/api-key';
import type { Configuration } from '@petstore/configuration';
import { GracefulShutdown, HttpServerModule, LoadShedder, PlaceGuard } from '@petstore/http-server';
import type { Telemetry } from '@petstore/observability';
import { PostgresIdempotencyStore } from '@petstore/persistence';
import type { PetStore } from '@petstore/pet-domain';
import { HttpRateLimiter, type RateLimiter, TrustedProxies } from '@petstore/rate-limit';
import { RateLimitInterceptor } from '@petstore/rate-limit/nest';
import { HttpAuthFailureLimiter } from './access/http-auth-failure-limiter.js';
import { RequestLoadPolicy } from './access/request-load-policy.js';
import { Subjects } from './access/subjects.js';
import { DocsModule } from './docs/docs.module.js';
import { HealthModule } from './health/health.module.js';
import type { ReadinessParts } from './health/readiness.js';
import { httpServerOptions } from './http-server.options.js';
import type { Log } from './logging/log.js';
import { RequestRecorder } from './observability/request-recorder.js';
import { DeprecationNotices } from './operations/deprecation-notices.js';
import { OperationNames } from './operations/operation-names.js';
import { OperationRegistry } from './operations/operation-registry.js';
import { OperationsModule } from './operations/operations.module.js';
import { PET_STORE } from './pets/pets.controller.js';
import { PETS_PATH } from './pets/pets.operations.js';
import { PetsModule } from './pets/pets.module.js';

/** The modules of the resources: a new one is a line here. */
export const RESOURCE_MODULES: readonly Type[] = [PetsModule];

/** What the service is put together from. */
export interface ApiParts {
  readonly configuration: Configuration;
  readonly log: Log;
  readonly pets: PetStore;
  /** @param locationOfPet the `Location` of animals that earlier versions have added */
  readonly idempotencyStore: (locationOfPet: (petId: string) => string) => PostgresIdempotencyStore;
  readonly keys: ApiKeyCache;
  readonly usage: KeyUsageLog;
  readonly limiter: RateLimiter;
  readonly readiness: Omit<ReadinessParts, 'isStalled' | 'isStopping'>;
  /** What requests are watched with. */
  readonly telemetry: Telemetry;
  /** Milliseconds since 1970; the system's clock unless said. */
  readonly now?: () => number;
}

/** Puts the libs together. The order of the guards and the one interceptor is the order of a request's way. */
@Module({})
export class ApiModule {
  static of(parts: ApiParts): DynamicModule {
    const { configuration, log, pets, keys, usage, limiter, readiness, now = Date.now } = parts;
    const { publicBaseUrl = '/v1', trustedProxies = [], anonymousPerMinute, anonymousPerDay } = configuration;
    const meter = new HttpRateLimiter(limiter);
    const subjects = new Subjects(new TrustedProxies(trustedProxies), {
      withoutKey: { perMinute: anonymousPerMinute, perDay: anonymousPerDay },
      docs: { perMinute: configuration.docsPerMinute, perDay: configuration.docsPerDay },
    });
    const { telemetry } = parts;
    const server = HttpServerModule.forRootAsync({
      inject: [OperationRegistry, OperationNames, DeprecationNotices],
      useFactory: (registry: OperationRegistry, names: OperationNames, notices: DeprecationNotices) =>
        httpServerOptions({
          configuration,
          log,
          telemetry,
          registry,
          loadShedding: new RequestLoadPolicy({
            maxConcurrentRequests: configuration.maxConcurrentRequests,
            keys,
            subjects,
            meter,
            notices,
          }),
          observer: new RequestRecorder(names, log, telemetry),
        }),
    });
    return {
      module: ApiModule,
      // What resources inject without importing it.
      global: true,
      imports: [
        ...RESOURCE_MODULES,
        OperationsModule.forRoot({
          baseUrl: publicBaseUrl,
          now,
          settings: {
            getPet: {
              since: configuration.getPetDeprecatedSince,
              afterSunset: configuration.getPetAfterSunset,
            },
          },
        }),
        DocsModule.forRoot({ limiter, subjectOf: subjects.ofDocs }),
        server,
        HealthModule.forRootAsync({
          imports: [server],
          inject: [LoadShedder, GracefulShutdown],
          useFactory: (shedder: LoadShedder, shutdown: GracefulShutdown) => ({
            ...readiness,
            isStopping: () => shutdown.isStopping,
            isStalled: () => shedder.isStalled,
          }),
        }),
      ],
      providers: [
        { provide: PET_STORE, useValue: pets },
        {
          provide: PostgresIdempotencyStore,
          useValue: parts.idempotencyStore((id) => `${publicBaseUrl}${PETS_PATH}/${id}`),
        },
        { provide: APP_GUARD, useExisting: DeprecationNotices },
        {
          provide: APP_GUARD,
          useValue: new ApiKeyGuard(keys, usage, new HttpAuthFailureLimiter(meter, subjects), 'petstore'),
        },
        { provide: APP_GUARD, useExisting: PlaceGuard },
        { provide: APP_INTERCEPTOR, useValue: new RateLimitInterceptor(meter, subjects.of) },
      ],
      exports: [PET_STORE, PostgresIdempotencyStore],
    };
  }
}
