import type { FastifyInstance, FastifyRequest } from 'fastify';
import { byAddress } from '../address/client-address.js';
import type { RateLimiter } from '../limiter/rate-limiter.js';
import { HttpRateLimiter } from '../http/http-rate-limiter.js';
import type { RateLimitSubject } from '../policy.js';

/** How requests are limited. */
export interface FastifyRateLimitOptions {
  readonly limiter: RateLimiter;
  /** Who is charged for a request, or `undefined` for one that is not limited; the client's address unless given. */
  readonly subjectOf?: (request: FastifyRequest) => RateLimitSubject | undefined;
}

/**
 * Plug-in for Fastify, `app.register(fastifyRateLimit, { limiter })`: limits the requests of all routes of the instance
 * that it is registered with. Every response gets the header fields; a refused request is a
 * `RateLimitExceededError`, which Fastify responds to with 429.
 */
export function fastifyRateLimit(
  app: FastifyInstance,
  { limiter, subjectOf = ({ raw }) => ofAddress(raw) }: FastifyRateLimitOptions,
  done: () => void,
): void {
  const http = new HttpRateLimiter(limiter);
  app.addHook('onRequest', async (request, reply) => {
    const subject = subjectOf(request);
    if (subject === undefined) return;
    await http.charge({ setHeader: (name, value) => reply.header(name, value) }, subject);
  });
  done();
}

const ofAddress = byAddress();

/** What fastify-plugin does: hooks hold for the instance that registers this, not just for the plug-in itself. */
Object.assign(fastifyRateLimit, { [Symbol.for('skip-override')]: true });
