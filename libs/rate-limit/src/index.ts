export { type BanPolicy, DEFAULT_BAN_POLICY } from './policy/ban-policy.js';
export type { Clock } from './local/local-limiter.js';
export { buildRateLimiter, createRateLimiter, type RateLimiterOptions } from './create-rate-limiter.js';
export {
  type AddressLimitOptions,
  addressSubject,
  byAddress,
  clientNetwork,
  DEFAULT_ADDRESS_LIMITS,
  type SubjectOf,
} from './address/address-subject.js';
export { clientAddress } from './address/client-address.js';
export {
  expressRateLimit,
  type ExpressRateLimitOptions,
  type Middleware,
  rateLimitHttp,
} from './http/express-rate-limit.js';
export { RateLimitExceededError } from './http/rate-limit-exceeded.error.js';
export { type HeaderTarget, RATE_LIMIT_HEADERS, setRateLimitHeaders } from './http/rate-limit-headers.js';
export { HttpRateLimiter } from './http/http-rate-limiter.js';
export { TrustedProxies } from './address/trusted-proxies.js';
export { type FixedPlanName, Plan, type PlanLimits, type PlanName } from './policy/plan.js';
export type { Degradation, RateLimitObserver, Recovery } from './decision/rate-limit-observer.js';
export type { RateLimitSubject } from './policy/rate-limit-subject.js';
export { RateLimitResult, type RefusalCode, type WindowStatus } from './decision/rate-limit-result.js';
export { DAY, MINUTE, type RateLimitWindow } from './policy/rate-limit-window.js';
export { DEFAULT_REDIS_TIMEOUTS, type RedisTimeouts } from './redis/redis-node.js';
export { type Ban, RateLimiter } from './decision/rate-limiter.js';
