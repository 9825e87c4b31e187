import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { ApiKeyGuard, type KeyRing, type KeyUsageLog } from '@petstore/api-key';
import type { Configuration } from '@petstore/configuration';
import { PostgresIdempotencyStore } from '@petstore/persistence';
import type { PetStore } from '@petstore/pet-domain';
import { RateLimitInterceptor, type RateLimiter, RequestMeter, TrustedProxies } from '@petstore/rate-limit';
import { AccessMeter } from './access/access-meter.js';
import { LoadShedder } from './access/load-shedder.js';
import { PlaceGuard } from './access/place.guard.js';
import { RequestPlaces } from './access/request-places.js';
import { Subjects } from './access/subjects.js';
import { Docs } from './docs/docs.middleware.js';
import { OpenApiText } from './docs/openapi-text.js';
import { HealthController } from './health/health.controller.js';
import { PublicReadiness } from './health/public-readiness.js';
import type { Readiness } from './health/readiness.js';
import type { ConnectionTable } from './http/connections/connection-table.js';
import { ErrorFilter } from './http/error.filter.js';
import type { GracefulStop } from './http/graceful-stop.js';
import { Idempotency } from './idempotency/idempotency.js';
import type { Log } from './log.js';
import type { Instruments } from './observability/instruments.js';
import { Deprecation, DeprecationNotice } from './operations/deprecation.js';
import { UnmatchedController } from './operations/unmatched.controller.js';
import { PetLinks } from './pets/pet-links.js';
import { PET_STORE, PetsController } from './pets/pets.controller.js';

/** What the service is put together from. */
export interface ApiParts {
  readonly configuration: Configuration;
  readonly log: Log;
  readonly pets: PetStore;
  /** @param locationOfPet the `Location` of animals that earlier versions have added */
  readonly idempotencyStore: (locationOfPet: (petId: string) => string) => PostgresIdempotencyStore;
  readonly keys: KeyRing;
  readonly usage: KeyUsageLog;
  readonly limiter: RateLimiter;
  readonly readiness: Readiness;
  /** What requests are watched with. */
  readonly instruments: Instruments;
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
    const openApi = new OpenApiText();
    const deprecation = new Deprecation({
      since: configuration.getPetDeprecatedSince,
      afterSunset: configuration.getPetAfterSunset,
      documentation: publicBaseUrl.replace(/\/v1$/, '/docs'),
      successor: `${publicBaseUrl}/pets`,
      now,
    });
    const links = new PetLinks(publicBaseUrl);
    const { connections } = parts;
    const shedder = new LoadShedder({
      places: new RequestPlaces(configuration.maxConcurrentRequests),
      addressOf: (request) => connections.networkOf(request.socket) ?? subjects.networkOf(request),
      holdBack: (request, ms) => {
        connections.holdBack(request.socket, ms);
      },
      keys,
      subjects,
      meter,
      deprecation,
    });
    return {
      module: ApiModule,
      controllers: [PetsController, HealthController, UnmatchedController],
      providers: [
        { provide: PET_STORE, useValue: pets },
        { provide: PetLinks, useValue: links },
        { provide: PostgresIdempotencyStore, useValue: parts.idempotencyStore((id) => links.pet({ id })) },
        Idempotency,
        { provide: Deprecation, useValue: deprecation },
        {
          provide: PublicReadiness,
          useValue: new PublicReadiness(readiness.check, () => parts.stop.isStopping),
        },
        { provide: LoadShedder, useValue: shedder },
        { provide: OpenApiText, useValue: openApi },
        { provide: Docs, useValue: new Docs({ openApi, limiter, subjectOf: subjects.ofDocs }) },
        { provide: APP_GUARD, useValue: new DeprecationNotice(deprecation) },
        {
          provide: APP_GUARD,
          useValue: new ApiKeyGuard(keys, new AccessMeter(meter, subjects), usage),
        },
        { provide: APP_GUARD, useValue: new PlaceGuard(meter, subjects) },
        { provide: APP_INTERCEPTOR, useValue: new RateLimitInterceptor(meter, subjects.of) },
        { provide: APP_FILTER, useValue: new ErrorFilter(log) },
      ],
    };
  }
}
