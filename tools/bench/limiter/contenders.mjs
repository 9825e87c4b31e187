// Each contender meters a minute and a day, as it would in a service, and tells whether a request may pass.
import { createHash, randomUUID } from 'node:crypto';
import { ThrottlerStorageRedisService } from '@nest-lab/throttler-storage-redis';
import fastifyRateLimit from '@fastify/rate-limit';
import { rateLimit } from 'express-rate-limit';
import { fastify } from 'fastify';
import { Redis } from 'ioredis';
import { RedisStore } from 'rate-limit-redis';
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
  /** This service: both windows in one decision; the decisions of one tick of the event loop in one call. */
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

  /** Fixed windows, of one limiter for each: a second one sees what the first admits. */
  'express-rate-limit': async (url, { minuteMs, perMinute, perDay }) => {
    const redis = await connect(url);
    const limiterOf = (prefix, windowMs, limit) =>
      rateLimit({
        windowMs,
        limit,
        keyGenerator: ({ key }) => key,
        handler: (request) => {
          request.refused = true;
          request.done();
        },
        standardHeaders: false,
        legacyHeaders: false,
        validate: false,
        store: new RedisStore({ prefix, sendCommand: (name, ...args) => redis.call(name, ...args) }),
      });
    const minute = limiterOf('express:m:', minuteMs, perMinute);
    const day = limiterOf('express:d:', DAY_MS, perDay);
    const passes = (limiter, key) =>
      new Promise((resolve, reject) => {
        const request = { key, refused: false, done: () => resolve(false), app: { get: () => false } };
        const response = { setHeader: () => undefined, headersSent: false, on: () => undefined };
        void limiter(request, response, (error) => (error ? reject(error) : resolve(!request.refused)));
      });
    return {
      allow: async (key) => (await passes(minute, key)) && passes(day, key),
      close: () => redis.disconnect(),
    };
  },

  /** Fixed windows. */
  '@fastify/rate-limit': async (url, { minuteMs, perMinute, perDay }) => {
    const redis = await connect(url);
    const app = fastify();
    const keyGenerator = ({ key }) => key;
    await app.register(fastifyRateLimit, { global: false, redis, keyGenerator });
    const minute = app.createRateLimit({ max: perMinute, timeWindow: minuteMs, keyGenerator });
    const day = app.createRateLimit({
      max: perDay,
      timeWindow: DAY_MS,
      keyGenerator: ({ key }) => `day:${key}`,
    });
    return {
      allow: async (key) => {
        const request = { key, routeOptions: {} };
        const [inMinute, inDay] = await Promise.all([minute(request), day(request)]);
        return !inMinute.isExceeded && !inDay.isExceeded;
      },
      close: async () => {
        await app.close();
        redis.disconnect();
      },
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
