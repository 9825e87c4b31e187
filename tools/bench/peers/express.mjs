import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { Redis } from 'ioredis';
import { RedisStore } from 'rate-limit-redis';
import {
  BadRequest,
  DAY_MS,
  errorBody,
  LISTEN,
  MINUTE_MS,
  newPetOf,
  pageOf,
  PooledPets,
  REDIS_URL,
} from './common.mjs';

/** Express 5 with express-rate-limit on Redis and a pg pool with prepared statements. */

const pets = new PooledPets();
const redis = new Redis(REDIS_URL);

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
  request.caller = await pets.callers.find(request.get('Authorization'), request.ip);
  next();
});
app.use(window('minute', MINUTE_MS, (caller) => caller.perMinute));
app.use(window('day', DAY_MS, (caller) => caller.perDay));
app.use((request, response, next) => {
  if (request.caller.known) next();
  else response.status(401).json(errorBody(401));
});
app.use(express.json({ limit: '16kb' }));

app.get('/v1/pets', async (request, response) => {
  const { pets: page, link } = await pets.list(pageOf(request.query));
  if (link !== undefined) response.set('Link', link);
  response.json(page);
});

app.get('/v1/pets/:petId', async (request, response) => {
  const pet = await pets.find(request.params.petId);
  if (pet === undefined) response.status(404).json(errorBody(404));
  else response.json(pet);
});

app.post('/v1/pets', async (request, response) => {
  const pet = await pets.add(newPetOf(request.body));
  response.status(201).location(`/v1/pets/${pet.id}`).json(pet);
});

app.use((request, response) => response.status(404).json(errorBody(404)));
// Express tells an error handler by its four parameters.
app.use((error, request, response, next) => {
  if (response.headersSent) return next(error);
  const status = error instanceof BadRequest ? 400 : (error.status ?? 500);
  response.status(status).json(errorBody(status, status === 400 ? error.message : undefined));
});

app.listen(LISTEN.port, LISTEN.host);
