import { ConfigurableModuleBuilder } from '@nestjs/common';
import type { SubjectOf } from '../address/address-subject.js';
import type { RateLimiterOptions } from '../limiter/create-rate-limiter.js';
import type { PlanLimits } from '../policy/plan.js';

/** How the limiter of an application is set up. */
export interface RateLimitModuleOptions extends RateLimiterOptions {
  /** Who is charged for a request; the client's address unless given. */
  readonly subjectOf?: SubjectOf | undefined;
  /** What one client address may send: `DEFAULT_ADDRESS_LIMITS` unless given. */
  readonly addressLimits?: PlanLimits | undefined;
  /** Proxies whose `X-Forwarded-For` counts, as addresses or networks in CIDR notation; none unless given. */
  readonly trustedProxies?: readonly string[] | undefined;
}

/** Injects who is charged for a request: a {@link SubjectOf}. */
export const SUBJECT_OF = Symbol('rate limit: subject of a request');

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } =
  new ConfigurableModuleBuilder<RateLimitModuleOptions>({ moduleName: 'RateLimit' })
    .setClassMethodName('forRoot')
    .setExtras({ isGlobal: false }, (definition, { isGlobal }) => ({ ...definition, global: isGlobal }))
    .build();
