import { defineSettings, optionalSetting } from '../setting.js';
import { list, url } from '../value-types.js';

/** Redis, which shares limits and key events between instances. */
export const REDIS_SETTINGS = defineSettings({
  redisUrls: optionalSetting({
    variable: 'REDIS_URL',
    meaning:
      'Redis, or the nodes of a Redis Cluster separated by commas; without it limits are kept in the process.',
    allowed: 'redis://host:port or rediss://host:port, several separated by commas',
    credentials: true,
    schema: list(url('redis:', 'rediss:')),
  }),
});
