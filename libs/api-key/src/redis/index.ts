export { createRedisClient, type RedisClient, type RedisClientOptions } from './redis-client.js';
