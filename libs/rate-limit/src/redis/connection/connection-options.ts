import type { ClusterOptions, RedisOptions } from 'ioredis';

const LONGEST_RECONNECT_DELAY_MS = 500;
const CONNECT_TIMEOUT_MS = 2_000;
/** How soon a failover is noticed when no node announces it, in milliseconds. */
const SLOTS_REFRESH_MS = 2_000;

const reconnectDelay = (attempt: number): number => Math.min(attempt * 50, LONGEST_RECONNECT_DELAY_MS);

/**
 * What the limiter's own connections do otherwise than those of the client that they are duplicates of: where the
 * servers are, and how to log in there, is left as it is.
 */
export const CONNECTION_OPTIONS = {
  // A call without a response was decided in the process: it must never be sent a second time.
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: null,
  connectTimeout: CONNECT_TIMEOUT_MS,
  // A server that hangs does not end its connection either.
  disconnectTimeout: 100,
  // The script itself shows whether a server is ready; a user of few rights may run nothing else.
  enableReadyCheck: false,
  disableClientInfo: true,
  // A master that was demoted: what listens at its address next may be the new one.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  retryStrategy: reconnectDelay,
  lazyConnect: true,
  // Names of keys, replies and deadlines are the limiter's own.
  keyPrefix: '',
  stringNumbers: false,
  readOnly: false,
  enableOfflineQueue: true,
  enableAutoPipelining: false,
  commandTimeout: undefined,
  socketTimeout: undefined,
} satisfies RedisOptions;

export const CLUSTER_OPTIONS = {
  slotsRefreshInterval: SLOTS_REFRESH_MS,
  enableReadyCheck: false,
  clusterRetryStrategy: reconnectDelay,
  // A call that a node refuses is decided in the process at once, and not sent again much later.
  retryDelayOnFailover: 0,
  retryDelayOnClusterDown: 0,
  scaleReads: 'master',
  lazyConnect: true,
  keyPrefix: '',
  enableOfflineQueue: true,
  enableAutoPipelining: false,
} satisfies ClusterOptions;
