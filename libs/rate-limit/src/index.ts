export {
  type AddressLimitOptions,
  addressSubject,
  byAddress,
  clientNetwork,
  DEFAULT_ADDRESS_LIMITS,
  type SubjectOf,
} from './address/address-subject.js';
export { clientAddress } from './address/client-address.js';
export { TrustedProxies } from './address/trusted-proxies.js';
export {
  expressRateLimit,
  type ExpressRateLimitOptions,
  type Middleware,
  rateLimitHttp,
} from './http/express-rate-limit.js';
export { type HeaderTarget, HttpRateLimiter, setRateLimitHeaders } from './http/http-rate-limiter.js';
export { RateLimitExceededError } from './http/rate-limit-exceeded.error.js';
export {
  buildRateLimiter,
  createRateLimiter,
  type RateLimiterOptions,
} from './limiter/create-rate-limiter.js';
export type { Degradation, RateLimitObserver, Recovery } from './limiter/rate-limit-observer.js';
export { type RateLimitErrorCode, RateLimitResult, type WindowStatus } from './limiter/rate-limit-result.js';
export { RateLimiter } from './limiter/rate-limiter.js';
export { type BanPolicy, DEFAULT_BAN_POLICY } from './policy/ban-policy.js';
export { type FixedPlanName, Plan, type PlanLimits, type PlanName } from './policy/plan.js';
export type { RateLimitSubject } from './policy/rate-limit-subject.js';
export { DAY, MINUTE, type RateLimitWindow } from './policy/rate-limit-window.js';
export { DEFAULT_REDIS_TIMEOUTS, type RedisTimeouts } from './redis/circuit-breaker.js';
