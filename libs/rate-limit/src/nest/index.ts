export {
  RateLimitInterceptor,
  RequestRateLimiter,
  SkipRateLimit,
  SUBJECT_OF,
} from './rate-limit.interceptor.js';
export { RateLimitModule, type RateLimitModuleOptions } from './rate-limit.module.js';
