import { type Configuration, createRedisClient, LIMIT_KEY_PREFIX } from '@petstore/api';
import { type KeyId, subjectIdOf } from '@petstore/api-key';
import {
  createRateLimiter,
  DEFAULT_REDIS_TIMEOUTS,
  type Degradation,
  MAX_LIMIT,
  type RateLimiter,
} from '@petstore/rate-limit';
import { CommandError } from '../errors.js';

/** No request waits here, and Redis may be far away or busy. */
const TIMEOUTS = { ...DEFAULT_REDIS_TIMEOUTS, responseTimeoutMs: 2_000 };

/** State of a key's limits at this moment. */
export interface RateLimitStatus {
  /** Requests in the last 60 seconds and 24 hours. */
  readonly now: { readonly lastMinute: number; readonly lastDay: number };
  /** End of the ban in force. */
  readonly bannedUntil: Date | null;
}

/** `undefined` where the counters are in the processes of the service, or Redis is unavailable. */
export function rateLimitStatusOf(
  id: KeyId,
  configuration: Configuration,
): Promise<RateLimitStatus | undefined> {
  return withLimiter(configuration, async (limiter) => {
    // What is counted does not depend on the limits.
    const limits = { perMinute: MAX_LIMIT, perDay: MAX_LIMIT };
    const { minute, day, banMs } = await limiter.inspect({ id: subjectIdOf(id), limits, bannable: true });
    return {
      now: { lastMinute: minute.used, lastDay: day.used },
      bannedUntil: banMs > 0 ? new Date(Date.now() + banMs) : null,
    };
  });
}

/**
 * Ends a ban in Redis. The processes of the service that keep bans themselves receive a key event.
 *
 * @throws {CommandError} when there is a Redis, and it does not respond
 */
export async function liftBan(id: KeyId, configuration: Configuration): Promise<void> {
  const lifted = await withLimiter(configuration, (limiter) => limiter.liftBan(subjectIdOf(id)));
  if (configuration.redisUrls !== undefined && lifted === undefined)
    throw new CommandError(
      'Redis, which keeps the ban, did not respond: the key may still be banned. Lift it again when Redis is back.',
    );
}

/** Works on the counters in Redis, or returns `undefined`: a limiter of this short-lived process knows nothing. */
async function withLimiter<Result>(
  { redisUrls }: Configuration,
  work: (limiter: RateLimiter) => Promise<Result>,
): Promise<Result | undefined> {
  if (redisUrls === undefined) return undefined;
  const losses: Degradation[] = [];
  const limiter = await createRateLimiter({
    redis: createRedisClient(redisUrls),
    keyPrefix: LIMIT_KEY_PREFIX,
    observer: { degraded: (degradation) => losses.push(degradation) },
    timeouts: TIMEOUTS,
  });
  try {
    const result = await work(limiter);
    return losses.length > 0 ? undefined : result;
  } finally {
    await limiter.close();
  }
}
