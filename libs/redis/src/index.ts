export { createRedisClient, type RedisClient } from './redis-client.js';
export { withTimeout } from './with-timeout.js';
