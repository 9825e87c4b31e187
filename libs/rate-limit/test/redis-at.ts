import { Cluster, Redis } from 'ioredis';

/** A client that tells the limiter where Redis is, and never connects: one address, or those of a cluster. */
export function redisAt(url: string): Redis | Cluster {
  const [first = '', ...others] = url.split(',');
  if (others.length === 0) return singleRedisAt(first);
  return new Cluster([first, ...others], { lazyConnect: true });
}

/** The same where there is no cluster. */
export function singleRedisAt(url: string): Redis {
  return new Redis(url, { lazyConnect: true });
}
