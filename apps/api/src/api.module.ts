import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { ApiKeyGuard, type KeyRing, type KeyUsageLog } from '@petstore/api-key';
import type { Configuration } from '@petstore/configuration';
import type { PetStore } from '@petstore/pet-domain';
import { RateLimitInterceptor, type RateLimiter, RequestMeter, TrustedProxies } from '@petstore/rate-limit';
import { AccessMeter } from './access/access-meter.js';
import { LoadShedder } from './access/load-shedder.js';
import { PlaceGuard } from './access/place.guard.js';
import { RequestPlaces } from './access/request-places.js';
import { Subjects } from './access/subjects.js';
import { DocsModule } from './docs/docs.module.js';
import { HealthModule } from './health/health.module.js';
import type { ReadinessParts } from './health/readiness.js';
import type { ConnectionTable } from './http/connections/connection-table.js';
import { ErrorFilter } from './http/error.filter.js';
import type { GracefulStop } from './http/graceful-stop.js';
import type { Log } from './log.js';
import type { Telemetry } from './observability/telemetry.js';
import { DeprecationNotices } from './operations/deprecation-notices.js';
import { OperationsModule } from './operations/operations.module.js';
import { PET_STORE } from './pets/pets.controller.js';
import { PetsModule } from './pets/pets.module.js';

/** The modules of the resources: a new one is a line here. */
export const RESOURCE_MODULES: readonly Type[] = [PetsModule];

/** What the service is put together from. */
export interface ApiParts {
  readonly configuration: Configuration;
  readonly log: Log;
  readonly pets: PetStore;
  readonly keys: KeyRing;
  readonly usage: KeyUsageLog;
  readonly limiter: RateLimiter;
  readonly readiness: Omit<ReadinessParts, 'isStalled' | 'isStopping'>;
  /** What requests are watched with. */
  readonly telemetry: Telemetry;
  /** The open connections of the public listener. */
  readonly connections: ConnectionTable;
  /** Knows when the service is on its way out. */
  readonly stop: GracefulStop;
  /** Milliseconds since 1970; the system's clock unless said. */
  readonly now?: () => number;
}

/** Puts the libs together. The order of the guards and the one interceptor is the order of a request's way. */
@Module({})
export class ApiModule {
  static of(parts: ApiParts): DynamicModule {
    const { configuration, log, pets, keys, usage, limiter, readiness, now = Date.now } = parts;
    const { publicBaseUrl = '/v1', trustedProxies = [], anonymousPerMinute, anonymousPerDay } = configuration;
    const meter = new RequestMeter(limiter);
    const subjects = new Subjects(new TrustedProxies(trustedProxies), {
      withoutKey: { perMinute: anonymousPerMinute, perDay: anonymousPerDay },
      docs: { perMinute: configuration.docsPerMinute, perDay: configuration.docsPerDay },
    });
    const { connections } = parts;
    const createLoadShedder = (notices: DeprecationNotices): LoadShedder =>
      new LoadShedder({
        places: new RequestPlaces(configuration.maxConcurrentRequests),
        addressOf: (request) => connections.networkOf(request.socket) ?? subjects.networkOf(request),
        holdBack: (request, ms) => {
          connections.holdBack(request.socket, ms);
        },
        keys,
        subjects,
        meter,
        announceDeprecation: (request, response) => {
          notices.announceUnrouted(request, response);
        },
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
        HealthModule.forRootAsync({
          inject: [LoadShedder],
          useFactory: (shedder: LoadShedder) => ({
            ...readiness,
            isStopping: () => parts.stop.isStopping,
            isStalled: () => shedder.isStalled,
          }),
        }),
      ],
      providers: [
        { provide: PET_STORE, useValue: pets },
        { provide: LoadShedder, inject: [DeprecationNotices], useFactory: createLoadShedder },
        { provide: APP_GUARD, useExisting: DeprecationNotices },
        {
          provide: APP_GUARD,
          useValue: new ApiKeyGuard(keys, new AccessMeter(meter, subjects), usage),
        },
        { provide: APP_GUARD, useValue: new PlaceGuard(meter, subjects) },
        { provide: APP_INTERCEPTOR, useValue: new RateLimitInterceptor(meter, subjects.of) },
        { provide: APP_FILTER, useValue: new ErrorFilter(log) },
      ],
      exports: [PET_STORE, LoadShedder],
    };
  }
}
