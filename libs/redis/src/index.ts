export { createRedisClient, type RedisClient, type RedisClientOptions } from './redis-client.js';
export { withTimeout } from './with-timeout.js';
