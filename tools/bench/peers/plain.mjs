import { createServer } from 'node:http';
import { parse } from 'node:querystring';
import { Redis } from 'ioredis';
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

/** Node's own HTTP server over pg and ioredis, written plainly. */

// Counts a request in both windows or in neither. Returns whether it is admitted, and requests and rest of both windows.
const SCRIPT = `
local used, left = {}, {}
local admitted = 1
for i = 1, 2 do
  used[i] = tonumber(redis.call('get', KEYS[i]) or '0')
  left[i] = redis.call('pttl', KEYS[i])
  if left[i] < 0 then left[i] = tonumber(ARGV[i + 2]) end
  if used[i] >= tonumber(ARGV[i]) then admitted = 0 end
end
if admitted == 1 then
  for i = 1, 2 do
    used[i] = used[i] + 1
    if redis.call('incr', KEYS[i]) == 1 then redis.call('pexpire', KEYS[i], ARGV[i + 2]) end
  end
end
return { admitted, used[1], left[1], used[2], left[2] }
`;

const pets = new PooledPets();
const redis = new Redis(REDIS_URL);
redis.defineCommand('charge', { lua: SCRIPT, numberOfKeys: 2 });

async function charge({ id, perMinute, perDay }) {
  const keys = [`plain:{${id}}:m`, `plain:{${id}}:d`];
  const [admitted, minute, minuteLeft, day, dayLeft] = await redis.charge(
    ...keys,
    perMinute,
    perDay,
    MINUTE_MS,
    DAY_MS,
  );
  const ofMinute = { limit: perMinute, remaining: perMinute - minute, resetMs: minuteLeft };
  const ofDay = { limit: perDay, remaining: perDay - day, resetMs: dayLeft };
  return { admitted: admitted === 1, ...(ofDay.remaining < ofMinute.remaining ? ofDay : ofMinute) };
}

async function readJson(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    throw new BadRequest('the body must be JSON');
  }
}

async function route(request) {
  const { method, url } = request;
  if (method === 'POST' && url === '/v1/pets') {
    const pet = await pets.add(newPetOf(await readJson(request)));
    return { status: 201, body: pet, headers: { Location: `/v1/pets/${pet.id}` } };
  }
  if (method === 'GET' && url.startsWith('/v1/pets/')) {
    const pet = await pets.find(url.slice('/v1/pets/'.length));
    return pet === undefined ? failure(404) : { status: 200, body: pet, headers: {} };
  }
  if (method === 'GET' && /^\/v1\/pets(\?|$)/.test(url)) {
    const { pets: body, link } = await pets.list(pageOf(parse(url.split('?')[1])));
    return { status: 200, body, headers: link === undefined ? {} : { Link: link } };
  }
  return failure(404);
}

const failure = (status, message) => ({ status, body: errorBody(status, message), headers: {} });

async function respond(request, response) {
  const caller = await pets.callers.find(request.headers.authorization, request.socket.remoteAddress);
  const { admitted, limit, remaining, resetMs } = await charge(caller);
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', remaining);
  response.setHeader('X-RateLimit-Reset', Math.ceil((Date.now() + resetMs) / 1000));
  if (!admitted) {
    response.setHeader('Retry-After', Math.ceil(resetMs / 1000));
    return failure(429);
  }
  return caller.known ? route(request) : failure(401);
}

createServer(async (request, response) => {
  const { status, body, headers } = await respond(request, response).catch((error) =>
    error instanceof BadRequest ? failure(400, error.message) : failure(500),
  );
  const json = JSON.stringify(body);
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Content-Length', Buffer.byteLength(json));
  response.end(json);
}).listen(LISTEN);
