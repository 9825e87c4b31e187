import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressSubject } from './address.js';
import { limitRequest, RateLimitExceededError } from './http.js';
import type { RateLimiter } from './rate-limiter.js';
import type { RateLimitSubjects } from './subject.js';

/** How requests are limited. */
export interface FastifyRateLimitOptions {
  readonly limiter: RateLimiter;
  /** What a request consumes from, or `undefined` for one that is not limited; the client's address unless given. */
  readonly subjectOf?: (request: FastifyRequest) => RateLimitSubjects | undefined;
  /**
   * Responds to a refused request, whose header fields have been set; one that throws the error hands it to the error
   * handler. Without this, it gets 429 with `{"code", "message", "status"}`.
   */
  readonly onRefused?: (
    error: RateLimitExceededError,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => unknown;
}

/**
 * Plug-in for Fastify, `app.register(fastifyRateLimit, { limiter })`: limits the requests of all routes of the instance
 * that it is registered with. Every response gets the header fields.
 */
export function fastifyRateLimit(
  app: FastifyInstance,
  { limiter, subjectOf = ({ ip }) => addressSubject(ip), onRefused = respond }: FastifyRateLimitOptions,
  done: () => void,
): void {
  app.addHook('onRequest', async (request, reply) => {
    const subjects = subjectOf(request);
    if (subjects === undefined) return undefined;
    try {
      const response = { setHeader: (name: string, value: string | number) => reply.header(name, value) };
      await limitRequest(limiter, response, subjects);
      return undefined;
    } catch (error) {
      if (!(error instanceof RateLimitExceededError)) throw error;
      await onRefused(error, request, reply);
      return reply;
    }
  });
  done();
}

function respond(error: RateLimitExceededError, _request: FastifyRequest, reply: FastifyReply): void {
  void reply.code(error.status).send(error.getResponse());
}

/** What fastify-plugin does: hooks hold for the instance that registers this, not just for the plug-in itself. */
Object.assign(fastifyRateLimit, { [Symbol.for('skip-override')]: true });
