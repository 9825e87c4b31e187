import fastifyRateLimit from '@fastify/rate-limit';
import { ThrottlerStorageRedisService } from '@nest-lab/throttler-storage-redis';
import { rateLimit } from 'express-rate-limit';
import { fastify } from 'fastify';
import { Redis } from 'ioredis';
import { RedisStore } from 'rate-limit-redis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { createRateLimiter } from '../../../libs/rate-limit/dist/index.js';

const DAY_MS = 86_400_000;

/**
 * Each counts a minute and a day on one Redis, and says whether a request may pass.
 *
 * @typedef {object} Limiter
 * @property {(key: string) => Promise<boolean>} allow
 * @property {() => unknown} close
 *
 * @typedef {object} Plan
 * @property {number} minuteMs  length of the shorter window: 60,000, or less where a test has to live through it
 * @property {number} perMinute
 * @property {number} perDay
 * @property {() => number} [clock]  Unix milliseconds; only the exact limiter takes another clock than that of Redis
 *
 * @type {Record<string, (url: string, plan: Plan) => Promise<Limiter>>}
 */
export const LIMITERS = {
  '@petstore/rate-limit': async (url, { minuteMs, perMinute, perDay, clock }) => {
    // Its minute is a minute: where that of the test is shorter, its clock runs faster instead.
    const start = Date.now();
    const faster = () => start + ((Date.now() - start) * 60_000) / minuteMs;
    const limiter = await createRateLimiter({
      redis: new Redis(url, { lazyConnect: true }),
      clock: minuteMs === 60_000 ? clock : faster,
      // Refusals are counted, but never reach a ban; a slow response is measured, not avoided.
      bans: { refusals: 1e9, withinMs: 300_000, firstMs: 1, factor: 1, repeatMs: 1, longestMs: 1 },
      timeouts: { responseTimeoutMs: 10_000, retryAfterMs: 200 },
    });
    const limits = { perMinute, perDay };
    return {
      allow: async (id) => (await limiter.consume({ id, limits, bannable: true })).admitted,
      close: () => limiter.close(),
    };
  },

  'rate-limiter-flexible': async (url, { minuteMs, perMinute, perDay }) => {
    const storeClient = await connect(url);
    const window = (keyPrefix, points, durationMs) =>
      new RateLimiterRedis({ storeClient, keyPrefix, points, duration: durationMs / 1000 });
    const windows = [window('flexible:m', perMinute, minuteMs), window('flexible:d', perDay, DAY_MS)];
    const allow = (key) =>
      Promise.all(windows.map((one) => one.consume(key))).then(
        () => true,
        (refusal) => {
          if (refusal instanceof Error) throw refusal;
          return false;
        },
      );
    return { allow, close: () => storeClient.disconnect() };
  },

  '@nestjs/throttler': async (url, { minuteMs, perMinute, perDay }) => {
    const redis = await connect(url);
    const storage = new ThrottlerStorageRedisService(redis);
    const allow = async (key) => {
      const [minute, day] = await Promise.all([
        storage.increment(`throttler:${key}`, minuteMs, perMinute, minuteMs, 'minute'),
        storage.increment(`throttler:${key}`, DAY_MS, perDay, DAY_MS, 'day'),
      ]);
      return !minute.isBlocked && !day.isBlocked;
    };
    return { allow, close: () => redis.disconnect() };
  },

  // One limiter for each window: the second sees what the first admits.
  'express-rate-limit': async (url, { minuteMs, perMinute, perDay }) => {
    const redis = await connect(url);
    const window = (prefix, windowMs, limit) =>
      rateLimit({
        windowMs,
        limit,
        keyGenerator: ({ key }) => key,
        handler: (request) => request.onRefused(),
        standardHeaders: false,
        legacyHeaders: false,
        validate: false,
        store: new RedisStore({ prefix, sendCommand: (name, ...args) => redis.call(name, ...args) }),
      });
    const passes = (limiter, key) =>
      new Promise((resolve, reject) => {
        const request = { key, onRefused: () => resolve(false), app: { get: () => false } };
        const response = { setHeader: () => undefined, headersSent: false, on: () => undefined };
        void limiter(request, response, (error) => (error ? reject(error) : resolve(true)));
      });
    const [minute, day] = [window('express:m:', minuteMs, perMinute), window('express:d:', DAY_MS, perDay)];
    const allow = async (key) => (await passes(minute, key)) && passes(day, key);
    return { allow, close: () => redis.disconnect() };
  },

  '@fastify/rate-limit': async (url, { minuteMs, perMinute, perDay }) => {
    const redis = await connect(url);
    const app = fastify();
    await app.register(fastifyRateLimit, { global: false, redis });
    const window = (max, timeWindow, keyGenerator) => app.createRateLimit({ max, timeWindow, keyGenerator });
    const minute = window(perMinute, minuteMs, ({ key }) => key);
    const day = window(perDay, DAY_MS, ({ key }) => `day:${key}`);
    const allow = async (key) => {
      const request = { key, routeOptions: {} };
      const states = await Promise.all([minute(request), day(request)]);
      return !states.some(({ isExceeded }) => isExceeded);
    };
    return { allow, close: () => app.close().then(() => redis.disconnect()) };
  },

  // Every admission in a sorted set, for both windows in one script.
  'sorted-set log': async (url, { minuteMs, perMinute, perDay }) => {
    const redis = await connect(url);
    redis.defineCommand('chargeLog', {
      numberOfKeys: 1,
      lua: `
        local time = redis.call('TIME')
        local now = time[1] * 1000000 + time[2]
        redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[4] * 1000)
        if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
        if redis.call('ZCOUNT', KEYS[1], '(' .. now - ARGV[1] * 1000, '+inf') >= tonumber(ARGV[2]) then return 0 end
        redis.call('ZADD', KEYS[1], now, ARGV[5])
        redis.call('PEXPIRE', KEYS[1], ARGV[4])
        return 1`,
    });
    const allow = async (key) =>
      (await redis.chargeLog(`log:${key}`, minuteMs, perMinute, perDay, DAY_MS, crypto.randomUUID())) === 1;
    return { allow, close: () => redis.disconnect() };
  },
};

async function connect(url) {
  const redis = new Redis(url);
  await redis.ping();
  return redis;
}
