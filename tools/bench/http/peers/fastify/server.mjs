import rateLimit from '@fastify/rate-limit';
import Fastify from 'fastify';
import { Redis } from 'ioredis';
import pg from 'pg';
import { API_KEY_PEPPER, DATABASE_URL, HOST, PORT, REDIS_URL } from '../shared/environment.mjs';
import { errorBody } from '../shared/error-body.mjs';
import { FIND_KEY, KeyCache } from '../shared/key-cache.mjs';
import { idOf, linkOf } from '../shared/pet-rules.mjs';
import { ADD, FIND, NEWEST, PAGE, PAGE_BY_STATUS } from '../shared/pet-sql.mjs';

/** Fastify 5 with its own schemas, @fastify/rate-limit on Redis, and a pg pool with prepared statements. */

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
const keys = new KeyCache(
  async (hash) => (await pool.query({ name: 'key', text: FIND_KEY, values: [hash] })).rows[0],
  API_KEY_PEPPER,
);

const status = { type: 'string', enum: ['available', 'pending', 'sold'] };
const Pet = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    categoryId: { type: 'integer' },
    status,
  },
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
  },
};

const toPet = ({ id, name, category_id, status }) => ({ id, name, categoryId: category_id, status });

const app = Fastify();
app.setErrorHandler((error, request, reply) => {
  const code = error.statusCode ?? 500;
  reply.code(code).send(errorBody(code, code === 400 ? error.message : undefined));
});
app.setNotFoundHandler((request, reply) => reply.code(404).send(errorBody(404)));

await app.register(rateLimit, {
  global: false,
  redis: new Redis(REDIS_URL),
  nameSpace: 'fastify:',
  keyGenerator: (request) => request.caller.id,
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
  request.caller = await keys.caller(request.headers.authorization, request.ip);
  // Both windows are counted by calls that go out together.
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

app.get(
  '/v1/pets',
  { schema: { querystring: PageQuery, response: { 200: { type: 'array', items: Pet } } } },
  async ({ query }, reply) => {
    const { limit, status, cursor = NEWEST } = query;
    const { rows } = await pool.query(
      status === undefined
        ? { name: 'page', text: PAGE, values: [cursor, limit + 1] }
        : { name: 'page-by-status', text: PAGE_BY_STATUS, values: [status, cursor, limit + 1] },
    );
    const pets = rows.slice(0, limit).map(toPet);
    const link = linkOf(query, pets.at(-1)?.id, rows.length > limit);
    if (link !== undefined) reply.header('Link', link);
    return pets;
  },
);

app.get('/v1/pets/:petId', { schema: { response: { 200: Pet } } }, async ({ params }, reply) => {
  const id = idOf(params.petId);
  const { rows } =
    id === undefined ? { rows: [] } : await pool.query({ name: 'find', text: FIND, values: [id] });
  return rows.length === 0 ? reply.code(404).send(errorBody(404)) : toPet(rows[0]);
});

app.post('/v1/pets', { schema: { body: NewPet, response: { 201: Pet } } }, async ({ body }, reply) => {
  const { name, categoryId, status } = body;
  const { rows } = await pool.query({ name: 'add', text: ADD, values: [name, categoryId, status] });
  const pet = toPet(rows[0]);
  reply.code(201).header('Location', `/v1/pets/${pet.id}`);
  return pet;
});

await app.listen({ port: PORT, host: HOST });
