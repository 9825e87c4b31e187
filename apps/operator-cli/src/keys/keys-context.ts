import { type Configuration, createRedisClient, PETSTORE_SCOPES } from '@petstore/api';
import { type ApiKey, ApiKeyAdministration, type KeyId, KeySigner, subjectIdOf } from '@petstore/api-key';
import { readOrCreatePepper } from '@petstore/embedded-postgres';
import { ListenNotifyBus, ApiKeyTables } from '@petstore/persistence';
import {
  createRateLimiter,
  DEFAULT_REDIS_TIMEOUTS,
  type Degradation,
  type RateLimiter,
} from '@petstore/rate-limit';
import { CommandError } from '../errors.js';
import type { Terminal } from '../terminal.js';
import { type DatabaseContext, withDatabase } from '../with-database.js';

/** What commands on keys work with. */
export interface KeysContext extends DatabaseContext {
  readonly administration: ApiKeyAdministration;
}

/** Opens what is needed, does the work, and leaves everything as it was found. */
export function withKeys<Result>(
  terminal: Terminal,
  work: (context: KeysContext) => Promise<Result>,
): Promise<Result> {
  return withDatabase(terminal, 'petstore keys', async (context) => {
    const { database, configuration } = context;
    const { dataDir, apiKeyPepper, previousApiKeyPeppers, environment } = configuration;
    const pepper = apiKeyPepper ?? (await readOrCreatePepper(dataDir));
    const administration = new ApiKeyAdministration({
      repository: new ApiKeyTables(database),
      signer: new KeySigner(pepper, previousApiKeyPeppers),
      scopes: PETSTORE_SCOPES,
      kind: environment === 'production' ? 'live' : 'test',
      events: new ListenNotifyBus(database),
    });
    return work({ ...context, administration });
  });
}

/** No request waits here, and Redis may be far away or busy. */
const TIMEOUTS = { ...DEFAULT_REDIS_TIMEOUTS, responseTimeoutMs: 2_000 };

/** State of a key's limits at this moment. */
export interface RateLimitStatus {
  /** Requests in the last 60 seconds. */
  readonly minuteUsed: number;
  /** Requests in the last 24 hours. */
  readonly dayUsed: number;
  /** End of the ban in force, if there is one. */
  readonly bannedUntil: Date | undefined;
}

/** `undefined` where the counters are in the processes of the service, or Redis is unavailable. */
export async function rateLimitStatusOf(
  key: ApiKey,
  configuration: Configuration,
): Promise<RateLimitStatus | undefined> {
  return withLimiter(configuration, async (limiter) => {
    const { limits } = key.settings.plan;
    const result = await limiter.peek({ id: subjectIdOf(key.id), limits, bannable: true });
    return {
      minuteUsed: result.minute.used,
      dayUsed: result.day.used,
      bannedUntil: result.banMs > 0 ? new Date(Date.now() + result.banMs) : undefined,
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
