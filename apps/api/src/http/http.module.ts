import type { Server } from 'node:http';
import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, HttpAdapterHost } from '@nestjs/core';
import { ApiKeyGuard, AuthFailureLimiter, IS_OPEN, type IsOpen, ScopeInterceptor } from '@petstore/api-key';
import { ERROR_MAPPER, HttpServerModule, REQUEST_OBSERVER } from '@petstore/http-server';
import { RateLimitInterceptor, RequestRateLimiter } from '@petstore/rate-limit/nest';
import { LimitsModule } from '../access/access.module.js';
import { DocsModule } from '../docs/docs.module.js';
import { ConnectionTelemetry, TelemetryModule } from '../observability/telemetry.module.js';
import { CrossOriginPolicy } from './cross-origin.policy.js';
import { OperationRegistry } from '../operations/operation-registry.js';
import { ConcurrencyGuard } from './concurrency.guard.js';
import { EdgeMiddleware } from './edge.middleware.js';
import { PetStoreErrorMapper } from './error-mapper.js';
import { HTTP_SETTINGS, type HttpSettings } from './http.settings.js';
import { TelemetryRequestObserver } from './request-observer.js';
import { UnmatchedController } from './unmatched.controller.js';

/** The public listener, and what every request passes once it is routed, in this order. */
@Module({
  imports: [
    LimitsModule,
    TelemetryModule,
    DocsModule,
    HttpServerModule.with({
      imports: [TelemetryModule],
      providers: [
        { provide: REQUEST_OBSERVER, useClass: TelemetryRequestObserver },
        { provide: ERROR_MAPPER, useClass: PetStoreErrorMapper },
      ],
    }),
  ],
  controllers: [UnmatchedController],
  providers: [
    CrossOriginPolicy,
    EdgeMiddleware,
    { provide: AuthFailureLimiter, useExisting: RequestRateLimiter },
    {
      provide: IS_OPEN,
      inject: [OperationRegistry],
      useFactory: ({ isOpen }: OperationRegistry): IsOpen => isOpen,
    },
    ConcurrencyGuard,
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    { provide: APP_GUARD, useExisting: ConcurrencyGuard },
    { provide: APP_INTERCEPTOR, useExisting: RateLimitInterceptor },
    { provide: APP_INTERCEPTOR, useClass: ScopeInterceptor },
  ],
  exports: [HttpServerModule],
})
export class HttpModule implements OnModuleInit {
  constructor(
    @Inject(HTTP_SETTINGS.KEY) private readonly settings: HttpSettings,
    private readonly host: HttpAdapterHost,
    private readonly connections: ConnectionTelemetry,
  ) {}

  onModuleInit(): void {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    server.maxConnections = this.settings.maxConnections;
    this.connections.watch(server);
  }
}
