/** How long to wait for a Redis server, and how often to ask whether it is back. */
export interface RedisTimeouts {
  /** A decision that has no response after so many milliseconds is made in the process. */
  readonly responseTimeoutMs: number;
  /** Milliseconds until the first probe of a server that is unavailable; doubled each time, up to five times as long. */
  readonly probeDelayMs: number;
}

export const DEFAULT_REDIS_TIMEOUTS: RedisTimeouts = { responseTimeoutMs: 40, probeDelayMs: 200 };
