import { z } from 'zod';
import { settings } from '../configuration/settings.js';
import { list, url } from '../configuration/value-types.js';

/** Redis, which shares limits and key events between instances. */
export const REDIS_SETTINGS = z.object({
  redisUrls: list(url('redis:', 'rediss:')).optional().register(settings, {
    variable: 'REDIS_URL',
    meaning:
      'Redis, or the nodes of a Redis Cluster separated by commas; without it limits are kept in the process.',
    allowed: 'redis://host:port or rediss://host:port, several separated by commas',
    credentials: true,
  }),
});
