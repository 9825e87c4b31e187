import { ConfigurableModuleBuilder, type ExecutionContext, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { byAddress, type SubjectOf, TrustedProxies } from '../address/client-address.js';
import { HttpRateLimiter } from '../http/http-rate-limiter.js';
import { RateLimiter, type RateLimiterOptions } from '../rate-limiter.js';
import type { RateLimits } from '../subject.js';
import { RateLimitInterceptor, RequestRateLimiter, SUBJECT_OF } from './rate-limit.interceptor.js';

/** How the limiter of an application is set up. */
export interface RateLimitModuleOptions extends RateLimiterOptions {
  /** What a request consumes from; the client's address unless given. */
  readonly subjectOf?: SubjectOf<ExecutionContext> | undefined;
  /** What one client address may send: `DEFAULT_ADDRESS_LIMITS` unless given. */
  readonly addressLimits?: RateLimits | undefined;
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
    {
      provide: RateLimiter,
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: (options: RateLimitModuleOptions) => new RateLimiter(options),
    },
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
      ): SubjectOf<ExecutionContext> => subjectOf ?? byAddress({ limits: addressLimits, trustedProxies }),
    },
    RequestRateLimiter,
    RateLimitInterceptor,
  ],
  exports: [
    RateLimiter,
    HttpRateLimiter,
    TrustedProxies,
    SUBJECT_OF,
    RequestRateLimiter,
    RateLimitInterceptor,
  ],
})
export class RateLimitModule extends ConfigurableModuleClass implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {
    super();
  }

  /** @throws Error on another adapter than Express': its responses have other methods */
  onModuleInit(): void {
    // An application context without a server has no adapter.
    const { httpAdapter } = this.host as { httpAdapter?: HttpAdapterHost['httpAdapter'] };
    const type = httpAdapter?.getType() ?? 'express';
    if (type !== 'express')
      throw new Error(
        `RateLimitModule works with Nest on Express, not on ${type}: there, register fastifyRateLimit ` +
          'of @petstore/rate-limit/fastify with the Fastify instance.',
      );
  }
}
