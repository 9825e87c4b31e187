export { RateLimitExceededException } from './rate-limit-exceeded.exception.js';
export { RateLimitInterceptor } from './rate-limit.interceptor.js';
export { RateLimitModule } from './rate-limit.module.js';
export { type RateLimitModuleOptions, SUBJECT_OF } from './rate-limit.module-definition.js';
