import type { RateLimitResult } from './rate-limit-result.js';
import type { BanPolicy, RateLimitSubject } from './subject.js';

/**
 * A client of ioredis, `Redis` or `Cluster`, by what the limiter asks of it first: ioredis is an optional peer, and
 * declarations that name its types would not compile without it.
 */
export interface IoredisClient {
  readonly isCluster: boolean;
  readonly options: object;
  duplicate(): unknown;
}

/** How long to wait for a Redis server, and how often to try one that is unavailable. */
export interface RedisTimeouts {
  /** A decision without a response after so many milliseconds is made in the process. */
  readonly responseTimeoutMs: number;
  /** Milliseconds between two tests of a server that is unavailable. */
  readonly retryAfterMs: number;
}

export const DEFAULT_REDIS_TIMEOUTS: RedisTimeouts = { responseTimeoutMs: 250, retryAfterMs: 200 };

/** Why limits are kept in the process instead of Redis. */
export interface Degradation {
  /** The Redis node that is unavailable: `host:port`. */
  readonly node: string;
  /** What happened, for a log line: an error's message, or that there was no response in time. */
  readonly reason: string;
  /** Whether it responds, but refuses the connection, its user or its database: its settings or the limiter's are wrong. */
  readonly refused: boolean;
}

/** The end of a {@link Degradation}. */
export interface Recovery {
  readonly node: string;
  /** How long it lasted, in milliseconds. */
  readonly afterMs: number;
}

/** Is called with what the limiter does: for metrics and log lines. No method may throw. */
export interface RateLimitObserver {
  /** After every decision, admitted or not; a refusal and the request that brought a ban are seen in the result. */
  decided?(subject: RateLimitSubject, result: RateLimitResult): void;
  /** A subject was banned just now; `decided` follows for the same result. */
  banned?(subject: RateLimitSubject, result: RateLimitResult): void;
  /** Once when a Redis node becomes unavailable, and not again before it has come back. */
  degraded?(degradation: Degradation): void;
  /** Once when it has come back. */
  recovered?(recovery: Recovery): void;
  /**
   * Redis had lost a part of what it had counted for a subject (its values were evicted, or replaced by another program), or
   * its clock was set back by more than a second: the subject has begun anew.
   */
  lost?(subject: RateLimitSubject): void;
}

/** How a limiter is set up. */
export interface RateLimiterOptions {
  /**
   * An ioredis client that says where Redis is and how to log in; limits are kept in the process without. The limiter
   * opens connections of its own, with the settings that it needs, and neither uses nor closes this client.
   */
  readonly redis?: IoredisClient | undefined;
  /** What the names of all keys in Redis begin with: {@link DEFAULT_KEY_PREFIX} unless given. */
  readonly keyPrefix?: string | undefined;
  /** When subjects are banned that can be: {@link DEFAULT_BAN_POLICY} unless given, `'off'` for never. */
  readonly bans?: BanPolicy | 'off' | undefined;
  readonly observer?: RateLimitObserver | undefined;
  /** How long to wait for Redis: {@link DEFAULT_REDIS_TIMEOUTS} unless given. */
  readonly timeouts?: RedisTimeouts | undefined;
  /** For tests only: Unix time in milliseconds, instead of Redis' or the system's clock. */
  readonly clock?: (() => number) | undefined;
}

export const DEFAULT_KEY_PREFIX = 'rate-limit:';
