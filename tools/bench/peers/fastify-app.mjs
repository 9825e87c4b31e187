import rateLimit from '@fastify/rate-limit';
import { Redis } from 'ioredis';
import { errorBody, LISTEN, PooledPets, REDIS_URL } from './common.mjs';

const status = { type: 'string', enum: ['available', 'pending', 'sold'] };
const Pet = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' }, categoryId: { type: 'integer' }, status },
};
const NewPet = {
  type: 'object',
  required: ['name', 'categoryId'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 255, pattern: '\\S' },
    categoryId: { type: 'integer', minimum: 1 },
    status: { ...status, default: 'available' },
  },
};
const PageQuery = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    status,
    cursor: { type: 'string', pattern: '^[1-9][0-9]{0,17}$' },
    species: { type: 'string', minLength: 1, maxLength: 255 },
    size: { type: 'string', pattern: '^(small|medium|large|xlarge)(,(small|medium|large|xlarge))*$' },
    goodWith: { type: 'string', pattern: '^(children|dogs|cats)(,(children|dogs|cats))*$' },
  },
};

/**
 * The API on Fastify 5 with its own schemas, @fastify/rate-limit on Redis, and a pg pool with prepared statements.
 *
 * @param {import('fastify').FastifyInstance} app
 * @param {string} name of the peer, before its keys in Redis
 */
export async function servePets(app, name) {
  const pets = new PooledPets();
  app.setErrorHandler((error, request, reply) => {
    const code = error.statusCode ?? 500;
    reply.code(code).send(errorBody(code, code === 400 ? error.message : undefined));
  });
  app.setNotFoundHandler((request, reply) => reply.code(404).send(errorBody(404)));

  const keyGenerator = (request) => request.caller.id;
  await app.register(rateLimit, {
    global: false,
    redis: new Redis(REDIS_URL),
    nameSpace: `${name}:`,
    keyGenerator,
  });
  const minute = app.createRateLimit({
    timeWindow: '1 minute',
    max: ({ caller }) => caller.perMinute,
    keyGenerator: ({ caller }) => `${caller.id}:m`,
  });
  const day = app.createRateLimit({
    timeWindow: '1 day',
    max: ({ caller }) => caller.perDay,
    keyGenerator: ({ caller }) => `${caller.id}:d`,
  });

  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (request, reply) => {
    request.caller = await pets.callers.find(request.headers.authorization, request.ip);
    // Both windows are counted by calls that are sent together.
    const [ofMinute, ofDay] = await Promise.all([minute(request), day(request)]);
    const tightest = ofDay.remaining < ofMinute.remaining ? ofDay : ofMinute;
    reply.headers({
      'X-RateLimit-Limit': tightest.max,
      'X-RateLimit-Remaining': tightest.remaining,
      'X-RateLimit-Reset': Math.ceil((Date.now() + tightest.ttl) / 1000),
    });
    if (ofMinute.isExceeded || ofDay.isExceeded) {
      const { ttlInSeconds } = ofDay.isExceeded ? ofDay : ofMinute;
      return reply.code(429).header('Retry-After', ttlInSeconds).send(errorBody(429));
    }
    if (!request.caller.known) return reply.code(401).send(errorBody(401));
  });

  const pages = { querystring: PageQuery, response: { 200: { type: 'array', items: Pet } } };
  app.get('/v1/pets', { schema: pages }, async ({ query }, reply) => {
    const { pets: page, link } = await pets.list(query);
    if (link !== undefined) reply.header('Link', link);
    return page;
  });

  app.get('/v1/pets/:petId', { schema: { response: { 200: Pet } } }, async ({ params }, reply) => {
    return (await pets.find(params.petId)) ?? reply.code(404).send(errorBody(404));
  });

  app.post('/v1/pets', { schema: { body: NewPet, response: { 201: Pet } } }, async ({ body }, reply) => {
    const pet = await pets.add(body);
    reply.code(201).header('Location', `/v1/pets/${pet.id}`);
    return pet;
  });

  await app.listen(LISTEN);
}
