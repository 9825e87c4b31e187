export * from './address.js';
export * from './http.js';
export * from './rate-limiter.js';
export * from './rate-limiter.options.js';
export { type RateLimitErrorCode, RateLimitResult, type WindowStatus } from './rate-limit-result.js';
export * from './subject.js';
