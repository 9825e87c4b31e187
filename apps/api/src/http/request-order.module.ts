import { Module } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { ApiKeyGuard, AuthFailureLimiter } from '@petstore/api-key';
import { DtoPipe, PlaceGuard } from '@petstore/http-server';
import { HttpRateLimiter } from '@petstore/rate-limit';
import { RateLimitInterceptor } from '@petstore/rate-limit/nest';
import { Subjects } from '../access/subjects.js';
import { HttpModule } from './http.module.js';
import { DeprecationNotices } from '../operations/deprecation-notices.js';
import { ClientsModule } from '../access/clients.module.js';
import { HttpAuthFailureLimiter } from '../access/http-auth-failure-limiter.js';
import { KeysModule } from '../access/keys.module.js';
import { LimitsModule } from '../access/limits.module.js';

/** The guards, the interceptor and the pipe of every request, in the order in which they run (docs/architecture.md). */
@Module({
  imports: [DiscoveryModule, ClientsModule, KeysModule, LimitsModule, HttpModule],
  providers: [
    { provide: AuthFailureLimiter, useClass: HttpAuthFailureLimiter },
    { provide: APP_GUARD, useExisting: DeprecationNotices },
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    { provide: APP_GUARD, useExisting: PlaceGuard },
    {
      provide: APP_INTERCEPTOR,
      inject: [HttpRateLimiter, Subjects],
      useFactory: (limiter: HttpRateLimiter, { of }: Subjects) => new RateLimitInterceptor(limiter, of),
    },
    { provide: APP_PIPE, useClass: DtoPipe },
  ],
})
export class RequestOrderModule {}
