import { ConfigurableModuleBuilder, Module } from '@nestjs/common';
import { byAddress, type SubjectOf, TrustedProxies } from '../address/client-address.js';
import { buildRateLimiter, RateLimiter, type RateLimiterOptions } from '../limiter/rate-limiter.js';
import type { PlanLimits } from '../policy.js';
import { HttpRateLimiter } from '../http/http-rate-limiter.js';
import { RateLimitInterceptor, SUBJECT_OF } from './rate-limit.interceptor.js';

/** How the limiter of an application is set up. */
export interface RateLimitModuleOptions extends RateLimiterOptions {
  /** Who is charged for a request; the client's address unless given. */
  readonly subjectOf?: SubjectOf | undefined;
  /** What one client address may send: `DEFAULT_ADDRESS_LIMITS` unless given. */
  readonly addressLimits?: PlanLimits | undefined;
  /** Proxies whose `X-Forwarded-For` counts, as addresses or networks in CIDR notation; none unless given. */
  readonly trustedProxies?: readonly string[] | undefined;
}

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } =
  new ConfigurableModuleBuilder<RateLimitModuleOptions>({ moduleName: 'RateLimit' })
    .setClassMethodName('forRoot')
    .setExtras({ isGlobal: false }, (definition, { isGlobal }) => ({ ...definition, global: isGlobal }))
    .build();

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
