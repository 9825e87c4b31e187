import type { ClusterOptions, RedisOptions } from 'ioredis';

/** With the limiter's own timeouts, a server that is back is used within two seconds. */
const retryStrategy = (attempt: number): number => Math.min(attempt * 50, 200);

/**
 * What the limiter's own connections do otherwise than those of the client that they are duplicates of: where the
 * servers are, and how to log in there, is left as it is.
 */
export const CONNECTION_OPTIONS = {
  // A call whose connection is lost was decided in the process: it must never be sent a second time.
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  // Deadlines are the limiter's own: those of ioredis also count time in which the process does not run.
  connectTimeout: 0,
  socketTimeout: undefined,
  commandTimeout: undefined,
  // A server that hangs does not end its connection either.
  disconnectTimeout: 100,
  // The script itself shows whether a server is ready; a user of few rights may run nothing else.
  enableReadyCheck: false,
  disableClientInfo: true,
  // What listens at the address of a demoted master next may be the new one.
  reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  retryStrategy,
  lazyConnect: true,
  // Names of keys are the limiter's own.
  keyPrefix: '',
} satisfies RedisOptions;

/** A Sentinel that hangs must not keep the others from saying where the master is. */
export const SENTINEL_OPTIONS = {
  connectTimeout: 1_000,
  sentinelCommandTimeout: 1_000,
} satisfies RedisOptions;

export const CLUSTER_OPTIONS = {
  // How soon a failover is noticed when no node announces it.
  slotsRefreshInterval: 1_000,
  enableReadyCheck: false,
  enableOfflineQueue: false,
  clusterRetryStrategy: retryStrategy,
  clusterNodeRetryStrategy: retryStrategy,
  // A call that a node refuses is decided in the process at once, and not sent again much later.
  retryDelayOnFailover: 0,
  retryDelayOnClusterDown: 0,
  scaleReads: 'master',
  lazyConnect: true,
  keyPrefix: '',
  redisOptions: { ...CONNECTION_OPTIONS, db: 0 },
} satisfies ClusterOptions;
