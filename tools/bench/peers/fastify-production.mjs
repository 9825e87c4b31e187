import { randomUUID } from 'node:crypto';
import cors from '@fastify/cors';
import etag from '@fastify/etag';
import helmet from '@fastify/helmet';
import underPressure from '@fastify/under-pressure';
import Fastify from 'fastify';
import { collectDefaultMetrics, Histogram } from 'prom-client';
import { servePets } from './fastify-app.mjs';

/** Fastify as one runs it in production: the same API, with what operators and browsers expect. */

const app = Fastify({
  logger: true,
  // One line a request, as the service has, instead of two.
  disableRequestLogging: true,
  requestIdHeader: 'x-request-id',
  genReqId: () => randomUUID(),
});
await app.register(helmet);
await app.register(cors, { origin: ['https://shop.example'] });
await app.register(etag);
// Of a benchmark the event loop is always busy: only what is no load is a limit.
await app.register(underPressure, { maxEventLoopDelay: 5_000, maxHeapUsedBytes: 1e9 });

collectDefaultMetrics();
const durations = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time until a response was sent',
  labelNames: ['method', 'route', 'status'],
});
app.addHook('onRequest', async (request, reply) => {
  reply.header('X-Request-Id', request.id);
});
app.addHook('onResponse', async (request, reply) => {
  const { method, routeOptions, log } = request;
  const responseTime = reply.elapsedTime;
  durations.observe(
    { method, route: routeOptions.url ?? '', status: reply.statusCode },
    responseTime / 1_000,
  );
  log.info({ req: request, res: reply, responseTime }, 'request completed');
});

await servePets(app, 'fastify-production');
