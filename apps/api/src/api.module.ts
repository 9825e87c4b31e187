import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { ApiKeyGuard, type ApiKeyCache, type KeyUsageLog } from '@petstore/api-key';
import type { Configuration } from '@petstore/configuration';
import { GracefulShutdown, HttpServerModule, PlaceGuard } from '@petstore/http-server';
import { PostgresIdempotencyStore } from '@petstore/persistence';
import type { PetStore } from '@petstore/pet-domain';
import {
  RateLimitInterceptor,
  type RateLimiter,
  HttpRateLimiter,
  TrustedProxies,
} from '@petstore/rate-limit';
import { HttpAuthFailureLimiter } from './access/http-auth-failure-limiter.js';
import { RequestLoadPolicy } from './access/request-load-policy.js';
import { Subjects } from './access/subjects.js';
import { Docs } from './docs/docs.middleware.js';
import { OpenApiText } from './docs/openapi-text.js';
import { HealthController } from './health/health.controller.js';
import { PublicReadiness } from './health/public-readiness.js';
import type { Readiness } from './health/readiness.js';
import { httpServerOptions } from './http-server.options.js';
import { Idempotency } from './idempotency/idempotency.js';
import type { Log } from './log.js';
import type { Instruments } from './observability/instruments.js';
import { OperationNames } from './observability/operation-names.js';
import { RequestRecorder } from './observability/request-recorder.js';
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
  readonly keys: ApiKeyCache;
  readonly usage: KeyUsageLog;
  readonly limiter: RateLimiter;
  readonly readiness: Readiness;
  /** What requests are watched with. */
  readonly instruments: Instruments;
  /** Milliseconds since 1970; the system's clock unless said. */
  readonly now?: () => number;
}

const CONTROLLERS = [PetsController, HealthController, UnmatchedController];

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
    const openApi = new OpenApiText();
    const deprecation = new Deprecation({
      since: configuration.getPetDeprecatedSince,
      afterSunset: configuration.getPetAfterSunset,
      documentation: publicBaseUrl.replace(/\/v1$/, '/docs'),
      successor: `${publicBaseUrl}/pets`,
      now,
    });
    const links = new PetLinks(publicBaseUrl);
    const { instruments } = parts;
    const server = httpServerOptions({
      configuration,
      log,
      instruments,
      loadShedding: new RequestLoadPolicy({
        maxConcurrentRequests: configuration.maxConcurrentRequests,
        keys,
        subjects,
        meter,
        deprecation,
      }),
      observer: new RequestRecorder(new OperationNames(CONTROLLERS), log, instruments),
    });
    return {
      module: ApiModule,
      imports: [HttpServerModule.forRoot(server)],
      controllers: CONTROLLERS,
      providers: [
        { provide: PET_STORE, useValue: pets },
        { provide: PetLinks, useValue: links },
        { provide: PostgresIdempotencyStore, useValue: parts.idempotencyStore((id) => links.pet({ id })) },
        Idempotency,
        { provide: Deprecation, useValue: deprecation },
        {
          provide: PublicReadiness,
          inject: [GracefulShutdown],
          useFactory: (shutdown: GracefulShutdown) =>
            new PublicReadiness(readiness.check, () => shutdown.isStopping),
        },
        { provide: OpenApiText, useValue: openApi },
        { provide: Docs, useValue: new Docs({ openApi, limiter, subjectOf: subjects.ofDocs }) },
        { provide: APP_GUARD, useValue: new DeprecationNotice(deprecation) },
        {
          provide: APP_GUARD,
          useValue: new ApiKeyGuard(keys, new HttpAuthFailureLimiter(meter, subjects), usage),
        },
        { provide: APP_GUARD, useExisting: PlaceGuard },
        { provide: APP_INTERCEPTOR, useValue: new RateLimitInterceptor(meter, subjects.of) },
      ],
    };
  }
}
