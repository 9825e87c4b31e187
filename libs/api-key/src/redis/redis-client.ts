import { Cluster, Redis, type RedisOptions } from 'ioredis';

/** A connection to one Redis server, or those to a Redis Cluster. */
export type RedisClient = Redis | Cluster;

/** What a client may be given beside its servers. */
export interface RedisClientOptions {
  /** Whether it connects only when it is first used. A client that others are duplicated from never connects. */
  readonly lazyConnect?: boolean;
  /** Whether ioredis subscribes again by itself after a loss; only who sees to that needs `false`. */
  readonly autoResubscribe?: boolean;
}

/** What every connection is given. */
const SETTINGS = {
  // A command that got no response is sent once more, then rejected.
  maxRetriesPerRequest: 1,
  connectTimeout: 2_000,
  // A server that hangs does not end its connection either: a tool that has nothing left to do shall end.
  disconnectTimeout: 100,
  // A user of few rights may run neither INFO nor CLIENT, and what is refused to the library rejects unseen. For the
  // same reason connections have no names.
  enableReadyCheck: false,
  disableClientInfo: true,
} satisfies RedisOptions;

/**
 * Makes a client of Redis, which goes on trying to connect. The only place that does: what has to be known about our
 * servers stands here once.
 *
 * It has a listener for errors: without one, ioredis would print each. A caller that needs to know adds another.
 *
 * @param urls `redis://` or `rediss://` (TLS); several are the first nodes of a Redis Cluster. User, password and TLS of
 *   the first hold for all of its nodes: the cluster names them without.
 */
export function createRedisClient(
  urls: readonly string[],
  { lazyConnect = false, autoResubscribe = true }: RedisClientOptions = {},
): RedisClient {
  const [first = '', ...others] = urls;
  const settings = { ...SETTINGS, autoResubscribe };
  const client =
    others.length === 0
      ? new Redis(first, { ...settings, lazyConnect })
      : new Cluster([...urls], {
          lazyConnect,
          enableReadyCheck: false,
          redisOptions: { ...settings, ...credentialsIn(first) },
        });
  client.on('error', () => undefined);
  return client;
}

function credentialsIn(url: string): Pick<RedisOptions, 'username' | 'password' | 'tls'> {
  const { username, password, protocol } = new URL(url);
  return {
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { tls: {} }),
  };
}
