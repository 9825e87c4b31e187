import { z } from 'zod';
import { defineSettings, optionalSetting } from '../setting.js';
import { url } from '../value-types.js';

/** Redis, which shares limits and key events between instances. */
export const REDIS_SETTINGS = defineSettings({
  redisUrl: optionalSetting({
    variable: 'REDIS_URL',
    meaning:
      'Redis, or the nodes of a Redis Cluster separated by commas; without it limits are kept in the process.',
    allowed: 'redis://host:port or rediss://host:port, several separated by commas',
    credentials: true,
    schema: z
      .string()
      .refine((text) =>
        text.split(',').every((part) => url('redis:', 'rediss:').safeParse(part.trim()).success),
      ),
  }),
});
