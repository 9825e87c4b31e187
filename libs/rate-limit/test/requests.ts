import { Cluster, Redis } from 'ioredis';
import { Plan, type PlanLimits, type RateLimiter, type RateLimitSubject } from '../src/index.js';

export const free = Plan.limitsOf('free');

let subjects = 0;
/** A key that no test has used. */
export const newKey = (limits: PlanLimits = free): RateLimitSubject => ({
  id: `key:test-${++subjects}`,
  limits,
  bannable: true,
});

/** The name of the value of a subject in Redis. */
export const valueOf = ({ id }: RateLimitSubject): string => `petstore:limit:2:${id}`;

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
    .flatMap((limiter) => Array.from({ length: each }, () => limiter.charge(key)));
  return (await Promise.all(requests)).filter(({ admitted }) => admitted).length;
}
