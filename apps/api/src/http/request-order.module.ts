import { Module } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { ApiKeyGuard, AuthFailureLimiter } from '@petstore/api-key';
import { DtoPipe, RequestSlotGuard } from '@petstore/http-server';
import { HttpRateLimiter } from '@petstore/rate-limit';
import { RateLimitInterceptor } from '@petstore/rate-limit/nest';
import { ClientsModule } from '../access/clients.module.js';
import { HttpAuthFailureLimiter } from '../access/http-auth-failure-limiter.js';
import { KeysModule } from '../access/keys.module.js';
import { LimitsModule } from '../access/limits.module.js';
import { Subjects } from '../access/subjects.js';
import { DeprecationGuard } from '../operations/deprecation.guard.js';
import { RefusalInterceptor } from '../operations/refusal.interceptor.js';
import { AuthenticationGuard } from './authentication.guard.js';
import { HttpModule } from './http.module.js';

/** What happens to every request once it is routed, in this order (docs/architecture.md). */
@Module({
  imports: [DiscoveryModule, ClientsModule, KeysModule, LimitsModule, HttpModule],
  providers: [
    { provide: AuthFailureLimiter, useClass: HttpAuthFailureLimiter },
    ApiKeyGuard,
    { provide: APP_GUARD, useClass: DeprecationGuard },
    { provide: APP_GUARD, useClass: AuthenticationGuard },
    { provide: APP_GUARD, useExisting: RequestSlotGuard },
    {
      provide: APP_INTERCEPTOR,
      inject: [HttpRateLimiter, Subjects],
      useFactory: (limiter: HttpRateLimiter, { of }: Subjects) => new RateLimitInterceptor(limiter, of),
    },
    { provide: APP_INTERCEPTOR, useClass: RefusalInterceptor },
    { provide: APP_PIPE, useClass: DtoPipe },
  ],
})
export class RequestOrderModule {}
