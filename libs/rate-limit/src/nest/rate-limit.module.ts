import { Module } from '@nestjs/common';
import { TrustedProxies } from '../address/trusted-proxies.js';
import { HttpRateLimiter } from '../http/http-rate-limiter.js';
import { byAddress, type SubjectOf } from '../address/address-subject.js';
import { buildRateLimiter } from '../limiter/create-rate-limiter.js';
import { RateLimiter } from '../limiter/rate-limiter.js';
import { RateLimitInterceptor } from './rate-limit.interceptor.js';
import {
  ConfigurableModuleClass,
  MODULE_OPTIONS_TOKEN,
  type RateLimitModuleOptions,
  SUBJECT_OF,
} from './rate-limit.module-definition.js';

/**
 * One limiter for an application: `forRoot`, or `forRootAsync` with `imports`, `inject` and `useFactory`; with `isGlobal`
 * its providers need not be imported. It connects when the application starts, within a second and with or without
 * Redis, and closes its connections when the application has stopped.
 *
 * The classes behind it know nothing of Nest, so that they serve without: hence the factories.
 */
@Module({
  providers: [
    { provide: RateLimiter, inject: [MODULE_OPTIONS_TOKEN], useFactory: buildRateLimiter },
    {
      provide: HttpRateLimiter,
      inject: [RateLimiter],
      useFactory: (limiter: RateLimiter) => new HttpRateLimiter(limiter),
    },
    {
      provide: TrustedProxies,
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: ({ trustedProxies = [] }: RateLimitModuleOptions) => new TrustedProxies(trustedProxies),
    },
    {
      provide: SUBJECT_OF,
      inject: [MODULE_OPTIONS_TOKEN, TrustedProxies],
      useFactory: (
        { subjectOf, addressLimits }: RateLimitModuleOptions,
        trustedProxies: TrustedProxies,
      ): SubjectOf => subjectOf ?? byAddress({ limits: addressLimits, trustedProxies }),
    },
    RateLimitInterceptor,
  ],
  exports: [RateLimiter, HttpRateLimiter, TrustedProxies, SUBJECT_OF, RateLimitInterceptor],
})
export class RateLimitModule extends ConfigurableModuleClass {}
