import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { Redis } from 'ioredis';
import pg from 'pg';
import { RedisStore } from 'rate-limit-redis';
import { API_KEY_PEPPER, DATABASE_URL, HOST, PORT, REDIS_URL } from '../shared/environment.mjs';
import { errorBody } from '../shared/error-body.mjs';
import { FIND_KEY, KeyCache } from '../shared/key-cache.mjs';
import { BadRequest, idOf, linkOf, newPetOf, pageOf } from '../shared/pet-rules.mjs';
import { ADD, FIND, NEWEST, PAGE, PAGE_BY_STATUS } from '../shared/pet-sql.mjs';

/** Express 5 with express-rate-limit on Redis and a pg pool with prepared statements. */

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
const redis = new Redis(REDIS_URL);
const keys = new KeyCache(
  async (hash) => (await pool.query({ name: 'key', text: FIND_KEY, values: [hash] })).rows[0],
  API_KEY_PEPPER,
);

/** One window of the limits of a caller; the `X-RateLimit` headers are those of the minute. */
function window(name, windowMs, limit) {
  return rateLimit({
    windowMs,
    limit: (request) => limit(request.caller),
    keyGenerator: (request) => request.caller.id,
    legacyHeaders: name === 'minute',
    standardHeaders: false,
    store: new RedisStore({
      prefix: `express:${name}:`,
      sendCommand: (command, ...args) => redis.call(command, ...args),
    }),
    handler: (request, response) => response.status(429).json(errorBody(429)),
  });
}

const app = express();
app.use(async (request, response, next) => {
  request.caller = await keys.caller(request.get('Authorization'), request.ip);
  next();
});
app.use(window('minute', 60_000, (caller) => caller.perMinute));
app.use(window('day', 86_400_000, (caller) => caller.perDay));
app.use((request, response, next) => {
  if (request.caller.known) next();
  else response.status(401).json(errorBody(401));
});
app.use(express.json({ limit: '16kb' }));

const toPet = ({ id, name, category_id, status }) => ({ id, name, categoryId: category_id, status });

app.get('/v1/pets', async (request, response) => {
  const page = pageOf(request.query);
  const { limit, status, cursor = NEWEST } = page;
  const { rows } = await pool.query(
    status === undefined
      ? { name: 'page', text: PAGE, values: [cursor, limit + 1] }
      : { name: 'page-by-status', text: PAGE_BY_STATUS, values: [status, cursor, limit + 1] },
  );
  const pets = rows.slice(0, limit).map(toPet);
  const link = linkOf(page, pets.at(-1)?.id, rows.length > limit);
  if (link !== undefined) response.set('Link', link);
  response.json(pets);
});

app.get('/v1/pets/:petId', async (request, response) => {
  const id = idOf(request.params.petId);
  const { rows } =
    id === undefined ? { rows: [] } : await pool.query({ name: 'find', text: FIND, values: [id] });
  if (rows.length === 0) response.status(404).json(errorBody(404));
  else response.json(toPet(rows[0]));
});

app.post('/v1/pets', async (request, response) => {
  const { name, categoryId, status } = newPetOf(request.body);
  const { rows } = await pool.query({ name: 'add', text: ADD, values: [name, categoryId, status] });
  const pet = toPet(rows[0]);
  response.status(201).location(`/v1/pets/${pet.id}`).json(pet);
});

app.use((request, response) => response.status(404).json(errorBody(404)));
// Express tells an error handler by its four parameters.
app.use((error, request, response, next) => {
  if (response.headersSent) return next(error);
  const status = error instanceof BadRequest ? 400 : (error.status ?? 500);
  response.status(status).json(errorBody(status, status === 400 ? error.message : undefined));
});

app.listen(PORT, HOST);
