export { fastifyRateLimit, type FastifyRateLimitOptions } from './fastify-rate-limit.js';
