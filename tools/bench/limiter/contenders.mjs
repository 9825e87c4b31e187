// Each contender meters a minute and a day, as it would in a service, and responses whether a request may pass.
import { createHash, randomUUID } from 'node:crypto';
import { ThrottlerStorageRedisService } from '@nest-lab/throttler-storage-redis';
import { Ratelimit } from '@upstash/ratelimit';
import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { createRateLimiter } from '../../../libs/rate-limit/dist/index.js';

/**
 * @typedef {object} Plan
 * @property {number} minuteMs length of the shorter window: 60,000, or less where a test has to live through it
 * @property {number} perMinute
 * @property {number} perDay
 * @typedef {object} Contender
 * @property {(key: string) => Promise<boolean>} allow
 * @property {() => void | Promise<void>} close
 */

const DAY_MS = 86_400_000;

/** @type {Record<string, (url: string, plan: Plan, clock?: () => number) => Promise<Contender>>} */
export const contenders = {
  /** This service: both windows in one decision; the decisions of one turn of the event loop in one call. */
  'petstore (exact)': async (url, { minuteMs, perMinute, perDay }, clock) => {
    // Its minute is a minute: where the test's is shorter, its clock runs faster instead.
    const start = Date.now();
    const faster = minuteMs === 60_000 ? clock : () => start + ((Date.now() - start) * 60_000) / minuteMs;
    const limiter = await createRateLimiter({
      redis: new Redis(url, { lazyConnect: true }),
      clock: faster,
      // Refusals are counted towards a ban, which no benchmark shall reach; slowness is measured, not avoided.
      bans: { refusals: 1e9, withinMs: 300_000, firstMs: 1, factor: 1, repeatMs: 1, longestMs: 1 },
      timeouts: { responseTimeoutMs: 10_000, probeDelayMs: 200 },
    });
    const limits = { perMinute, perDay };
    return {
      allow: (key) => limiter.charge({ id: key, limits, bannable: true }).then(({ admitted }) => admitted),
      close: () => limiter.close(),
    };
  },

  /** Fixed windows that begin with the first request. */
  'rate-limiter-flexible': async (url, { minuteMs, perMinute, perDay }) => {
    const storeClient = await connect(url);
    const minute = new RateLimiterRedis({
      storeClient,
      keyPrefix: 'flexible:m',
      points: perMinute,
      duration: minuteMs / 1000,
    });
    const day = new RateLimiterRedis({
      storeClient,
      keyPrefix: 'flexible:d',
      points: perDay,
      duration: DAY_MS / 1000,
    });
    return {
      allow: (key) =>
        Promise.all([minute.consume(key), day.consume(key)]).then(
          () => true,
          (refusal) => {
            if (refusal instanceof Error) throw refusal;
            return false;
          },
        ),
      close: () => storeClient.disconnect(),
    };
  },

  /** Fixed windows, and a block of the length of the window for who exceeds one. */
  '@nestjs/throttler': async (url, { minuteMs, perMinute, perDay }) => {
    const redis = await connect(url);
    const storage = new ThrottlerStorageRedisService(redis);
    return {
      allow: async (key) => {
        const [minute, day] = await Promise.all([
          storage.increment(`throttler:${key}`, minuteMs, perMinute, minuteMs, 'minute'),
          storage.increment(`throttler:${key}`, DAY_MS, perDay, DAY_MS, 'day'),
        ]);
        return !minute.isBlocked && !day.isBlocked;
      },
      close: () => redis.disconnect(),
    };
  },

  /** Two fixed windows, the last one weighted by how much of it the sliding window still covers. */
  '@upstash/ratelimit': async (url, { minuteMs, perMinute, perDay }) => {
    const redis = await connect(url);
    // The package speaks HTTP to its own service. Its scripts run here as they are, but for their first line,
    // which only that service understands.
    const loaded = new Map();
    const adapter = {
      evalsha: (sha, keys, args) => {
        if (!loaded.has(sha)) return Promise.reject(new Error('NOSCRIPT'));
        return redis.evalsha(loaded.get(sha), keys.length, ...keys, ...args);
      },
      eval: async (script, keys, args) => {
        const plain = script.replace(/^#!.*\n/, '');
        loaded.set(sha1(script), sha1(plain));
        return redis.eval(plain, keys.length, ...keys, ...args);
      },
    };
    const common = { redis: adapter, ephemeralCache: false, timeout: 0, enableTelemetry: false };
    const minute = new Ratelimit({
      ...common,
      limiter: Ratelimit.slidingWindow(perMinute, `${minuteMs} ms`),
      prefix: 'upstash:m',
    });
    const day = new Ratelimit({
      ...common,
      limiter: Ratelimit.slidingWindow(perDay, '1 d'),
      prefix: 'upstash:d',
    });
    return {
      allow: async (key) => {
        const [inMinute, inDay] = await Promise.all([minute.limit(key), day.limit(key)]);
        return inMinute.success && inDay.success;
      },
      close: () => redis.disconnect(),
    };
  },

  /** Every admission in a sorted set: both windows in one set and one script. */
  'sorted-set log': async (url, { minuteMs, perMinute, perDay }) => {
    const redis = await connect(url);
    const script = `
      local time = redis.call('TIME')
      local now = time[1] * 1000000 + time[2]
      redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[4] * 1000)
      if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
      if redis.call('ZCOUNT', KEYS[1], '(' .. now - ARGV[1] * 1000, '+inf') >= tonumber(ARGV[2]) then return 0 end
      redis.call('ZADD', KEYS[1], now, ARGV[5])
      redis.call('PEXPIRE', KEYS[1], ARGV[4])
      return 1`;
    await redis.script('LOAD', script);
    const sha = sha1(script);
    return {
      allow: async (key) =>
        (await redis.evalsha(sha, 1, `log:${key}`, minuteMs, perMinute, perDay, DAY_MS, randomUUID())) === 1,
      close: () => redis.disconnect(),
    };
  },
};

const sha1 = (text) => createHash('sha1').update(text).digest('hex');

async function connect(url) {
  const redis = new Redis(url);
  await redis.ping();
  return redis;
}
