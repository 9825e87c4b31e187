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
export { CircuitBreaker, type CircuitBreakerOptions, withTimeout } from './circuit-breaker.js';
export {
  expressRateLimit,
  type ExpressRateLimitOptions,
  type Middleware,
  rateLimitHttp,
} from './http/express-rate-limit.js';
export {
  type HeaderTarget,
  HttpRateLimiter,
  type RateLimitExceededBody,
  RateLimitExceededError,
  setRateLimitHeaders,
} from './http/http-rate-limiter.js';
export type { Degradation, RateLimitObserver, Recovery } from './rate-limit-observer.js';
export { type RateLimitErrorCode, RateLimitResult, type WindowStatus } from './rate-limit-result.js';
export {
  createRateLimiter,
  DEFAULT_KEY_PREFIX,
  RateLimiter,
  type RateLimiterOptions,
} from './rate-limiter.js';
export { DEFAULT_REDIS_TIMEOUTS, type RedisTimeouts } from './redis/redis-limiter.js';
export {
  type BanPolicy,
  checkLimits,
  DAY,
  DEFAULT_BAN_POLICY,
  isLimit,
  MAX_LIMIT,
  MINUTE,
  type RateLimits,
  type RateLimitSubject,
  type RateLimitSubjects,
  type RateLimitWindow,
} from './subject.js';
