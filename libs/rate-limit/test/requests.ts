import { Cluster, Redis } from 'ioredis';
import {
  DEFAULT_KEY_PREFIX,
  type RateLimits,
  type RateLimiter,
  type RateLimitSubject,
} from '../src/index.js';

export const free: RateLimits = { perMinute: 60, perDay: 1_000 };
export const business: RateLimits = { perMinute: 1_000, perDay: 100_000 };

let subjects = 0;
/** A key that no test has used. */
export const newKey = (limits: RateLimits = free): RateLimitSubject => ({
  id: `key:test-${++subjects}`,
  limits,
  bannable: true,
});

/** The name of the value of a subject in Redis. */
export const valueOf = ({ id }: RateLimitSubject): string => `${DEFAULT_KEY_PREFIX}{${id}}`;

/** A client that tells the limiter where Redis is, and never connects: one address, or those of a cluster. */
export function redisAt(url: string): Redis | Cluster {
  const [first = '', ...others] = url.split(',');
  if (others.length === 0) return new Redis(first, { lazyConnect: true });
  return new Cluster([first, ...others], { lazyConnect: true });
}

/** How many of so many requests at once to each of the limiters are admitted. */
export async function admittedOf(
  limiters: RateLimiter | readonly RateLimiter[],
  key: RateLimitSubject,
  each: number,
): Promise<number> {
  const requests = [limiters]
    .flat()
    .flatMap((limiter) => Array.from({ length: each }, () => limiter.consume(key)));
  return (await Promise.all(requests)).filter(({ admitted }) => admitted).length;
}
