export {
  type AddressLimitOptions,
  addressSubject,
  byAddress,
  clientAddress,
  clientNetwork,
  DEFAULT_ADDRESS_LIMITS,
  type SubjectOf,
  TrustedProxies,
} from './address/client-address.js';
export {
  expressRateLimit,
  type ExpressRateLimitOptions,
  type Middleware,
  rateLimitHttp,
} from './http/express-rate-limit.js';
export { type HeaderTarget, HttpRateLimiter, setRateLimitHeaders } from './http/http-rate-limiter.js';
export { RateLimitExceededError } from './http/http-rate-limiter.js';
export type { Degradation, RateLimitObserver, Recovery } from './limiter/rate-limit-observer.js';
export { type RateLimitErrorCode, RateLimitResult, type WindowStatus } from './limiter/rate-limit-result.js';
export {
  buildRateLimiter,
  createRateLimiter,
  RateLimiter,
  type RateLimiterOptions,
} from './limiter/rate-limiter.js';
export {
  type BanPolicy,
  DAY,
  DEFAULT_BAN_POLICY,
  type FixedPlanName,
  MINUTE,
  Plan,
  type PlanLimits,
  type PlanName,
  type RateLimitSubject,
  type RateLimitWindow,
} from './policy.js';
export { DEFAULT_REDIS_TIMEOUTS, type RedisTimeouts } from './redis/circuit-breaker.js';
