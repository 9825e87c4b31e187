import { Cluster, Redis, type RedisOptions } from 'ioredis';

/** What the names of the limiter's keys in Redis begin with: the operator's tool reads them, too. */
export const LIMIT_KEY_PREFIX = 'petstore:limit:';

/**
 * A client of Redis that says where the servers are and how to log in there. It never connects: the limiter opens its
 * own connections to the same servers.
 *
 * @param urls `redis://` or `rediss://` (TLS); several are the first nodes of a Redis Cluster. User, password and TLS of
 *   the first hold for all of its nodes: the cluster names them without.
 */
export function createRedisClient(urls: readonly string[]): Redis | Cluster {
  const [first = '', ...others] = urls;
  if (others.length === 0) return new Redis(first, { lazyConnect: true });
  return new Cluster([...urls], { lazyConnect: true, redisOptions: credentialsIn(first) });
}

function credentialsIn(url: string): Pick<RedisOptions, 'username' | 'password' | 'tls'> {
  const { username, password, protocol } = new URL(url);
  return {
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { tls: {} }),
  };
}
