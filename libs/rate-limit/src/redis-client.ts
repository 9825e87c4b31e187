import { once } from 'node:events';
import type { Cluster, ClusterOptions, Redis, RedisOptions } from 'ioredis';
import type { IoredisClient } from './rate-limiter.options.js';

/** A connection attempt takes at most so long, in milliseconds. */
export const CONNECT_TIMEOUT_MS = 1_000;

/** With the limiter's own timeouts, a server that is back is used within two seconds. */
const retryStrategy = (attempt: number): number => Math.min((attempt - 1) * 50, 200);

/**
 * What the limiter's own connections do otherwise than those of the client that they are duplicates of: where the
 * servers are, and how to log in there, is left as it is.
 */
const CONNECTION_OPTIONS = {
  // A call whose connection is lost is decided in the process: it is not sent a second time. One that finds the
  // connection closed, which Redis does to idle ones, waits for the next connection.
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  enableOfflineQueue: true,
  connectTimeout: CONNECT_TIMEOUT_MS,
  // A connection on which nothing arrives is replaced: it may lead nowhere.
  socketTimeout: 2_000,
  commandTimeout: undefined,
  // A server that hangs does not end its connection either.
  disconnectTimeout: 100,
  // A call shows whether a server is ready; a user of few rights may run nothing else.
  enableReadyCheck: false,
  disableClientInfo: true,
  // What listens at the address of a demoted master next may be the new one.
  reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  retryStrategy,
  lazyConnect: true,
  // Names of keys are the limiter's own.
  keyPrefix: '',
} satisfies RedisOptions;

/** A Sentinel that hangs does not keep the others from saying where the master is. */
const SENTINEL_OPTIONS = { sentinelCommandTimeout: 1_000 } satisfies RedisOptions;

const CLUSTER_OPTIONS = {
  // How soon a failover is noticed when no node announces it.
  slotsRefreshInterval: 1_000,
  enableReadyCheck: false,
  enableOfflineQueue: false,
  clusterRetryStrategy: retryStrategy,
  clusterNodeRetryStrategy: retryStrategy,
  // A call that a node refuses is decided in the process at once, and not sent again much later.
  retryDelayOnFailover: 0,
  retryDelayOnClusterDown: 0,
  retryDelayOnTryAgain: 0,
  scaleReads: 'master',
  lazyConnect: true,
  keyPrefix: '',
  redisOptions: { ...CONNECTION_OPTIONS, db: 0 },
} satisfies ClusterOptions;

/** Where ioredis says no more than that there is no connection. */
const NO_CONNECTION =
  /^(?:Connection is closed|Reached the max retries|Command aborted|Failed to refresh slots|Cluster isn't ready)/;

/** An error as ioredis emits it when a command of the handshake is refused. */
interface CommandError extends Error {
  readonly command?: { readonly name: string };
}

/** Commands of the handshake without which a connection is that of another user, or on another database. */
const HANDSHAKE = new Set(['hello', 'auth', 'select']);

/** The limiter's own connections to the servers that an application's client names. */
export class RedisClient {
  readonly redis: Redis | Cluster;
  readonly cluster: Cluster | undefined;
  /** The server, `host:port`, or the master that Sentinels watch; on a cluster, stands for nodes that are not known yet. */
  readonly name: string;
  private readonly password: string | null | undefined;
  /** What the last connection failed with, while there is none. */
  private trouble: string | undefined;
  /** What the handshake of the connection was refused with. */
  private refusal: Error | undefined;

  /** @param target says where Redis is; it is not used itself */
  constructor(target: IoredisClient) {
    // Not `instanceof`: an application's ioredis may be another copy.
    if (target.isCluster) {
      this.cluster = (target as Cluster).duplicate([], CLUSTER_OPTIONS);
      this.redis = this.cluster;
      this.name = 'cluster';
      this.password = this.cluster.options.redisOptions?.password;
    } else {
      const { db, sentinels, name, host = 'localhost', port = 6379 } = (target as Redis).options;
      if (db !== undefined && !(db >= 0)) throw new RangeError(`redis: "${db}" is no database`);
      const options = sentinels ? { ...CONNECTION_OPTIONS, ...SENTINEL_OPTIONS } : CONNECTION_OPTIONS;
      const redis = (target as Redis).duplicate(options);
      this.redis = redis;
      this.name = sentinels && name ? name : `${host}:${port}`;
      this.password = redis.options.password;
    }
    const note = (error: Error): void => {
      if (!NO_CONNECTION.test(error.message)) this.trouble = this.redacted(error);
    };
    this.redis.on('error', note).on('node error', note);
    this.redis.on('error', (error: CommandError) => {
      const name = error.command?.name ?? '';
      if (HANDSHAKE.has(name) && this.cluster === undefined) this.refusal = error;
      // Without its database, a connection would be on database 0: it is made again until the server has it.
      if (name === 'select') (this.redis as Redis).disconnect(true);
    });
    this.redis.on('connect', () => {
      this.trouble = undefined;
      this.refusal = undefined;
    });
  }

  /** Resolves when the servers are connected to: those of a cluster, as far as it has named them. */
  async connect(): Promise<void> {
    // A node is connected to when it is named, and not with the first call.
    this.cluster?.on('+node', (node: Redis) => {
      node.connect().catch(() => undefined);
    });
    await this.redis.connect();
    const masters = this.cluster?.nodes('master').filter(({ status }) => status !== 'ready') ?? [];
    await Promise.all(masters.map((node) => once(node, 'ready').catch(() => undefined)));
  }

  /**
   * To be called with a response: ioredis 5 sends what follows the handshake without waiting for its responses, so that a
   * server responds as if to another user or about another database.
   *
   * @throws Error with which the server refused the handshake
   */
  throwIfRefused(): void {
    if (this.refusal !== undefined) throw this.refusal;
  }

  /** Why a call failed, in one line. */
  reasonOf(error: Error): string {
    return NO_CONNECTION.test(error.message) ? (this.trouble ?? 'connection closed') : this.redacted(error);
  }

  /** The message without the password: servers repeat what they refuse. */
  private redacted(error: Error): string {
    // Of several addresses of a host, none of which responds, the first says why.
    const [first = error] = error instanceof AggregateError ? (error.errors as Error[]) : [];
    const { message, code, name } = first as NodeJS.ErrnoException;
    const [line = ''] = (message === '' ? (code ?? name) : message).split('\n', 1);
    const secrets = this.password ? [this.password, encodeURIComponent(this.password)] : [];
    return secrets.reduce((text, part) => text.replaceAll(part, '***'), line).slice(0, 300);
  }
}
