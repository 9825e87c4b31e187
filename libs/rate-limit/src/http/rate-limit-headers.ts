import type { PlanLimits } from '../policy/plan.js';
import type { RateLimitResult, WindowStatus } from '../decision/rate-limit-result.js';
import { DAY, MINUTE } from '../policy/rate-limit-window.js';

/** Names of every header that {@link setRateLimitHeaders} may set, for documents and for CORS. */
export const RATE_LIMIT_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
  'Retry-After',
] as const;

/** As much of a response as gets header fields. */
export interface HeaderTarget {
  setHeader(name: string, value: string | number): unknown;
}

/**
 * Writes what a result means for the client: the `X-RateLimit-*` trio and `Retry-After` (specification,
 * section 8), and `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers) for both windows.
 */
export function setRateLimitHeaders(response: HeaderTarget, result: RateLimitResult): void {
  const { limits, tightestWindow, minute, day } = result;
  response.setHeader('X-RateLimit-Limit', tightestWindow.limit);
  response.setHeader('X-RateLimit-Remaining', tightestWindow.remaining);
  response.setHeader('X-RateLimit-Reset', Math.ceil((result.now + tightestWindow.resetMs) / 1000));
  response.setHeader('RateLimit-Policy', policyOf(limits));
  response.setHeader('RateLimit', `${itemOf(minute)}, ${itemOf(day)}`);
  if (!result.admitted) response.setHeader('Retry-After', retryAfter(result));
}

/** Whole seconds, rounded up, at least 1 (RFC 9110, section 10.2.3). */
function retryAfter(result: RateLimitResult): number {
  return Math.max(1, Math.ceil(result.retryAfterMs / 1000));
}

function itemOf({ window, remaining, resetMs }: WindowStatus): string {
  return `"${window.name}";r=${remaining};t=${Math.ceil(resetMs / 1000)}`;
}

function policyOf({ perMinute, perDay }: PlanLimits): string {
  return `"${MINUTE.name}";q=${perMinute};w=${MINUTE.seconds}, "${DAY.name}";q=${perDay};w=${DAY.seconds}`;
}
