import { createServer } from 'node:http';
import { parse } from 'node:querystring';
import { Redis } from 'ioredis';
import pg from 'pg';
import { API_KEY_PEPPER, DATABASE_URL, HOST, PORT, REDIS_URL } from '../shared/environment.mjs';
import { errorBody } from '../shared/error-body.mjs';
import { FIND_KEY, KeyCache } from '../shared/key-cache.mjs';
import { BadRequest, idOf, linkOf, newPetOf, pageOf } from '../shared/pet-rules.mjs';
import { ADD, FIND, NEWEST, PAGE, PAGE_BY_STATUS } from '../shared/pet-sql.mjs';
import { Limiter } from './limiter.mjs';

/** Node's own HTTP server over pg and ioredis, written plainly. */

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
const redis = new Redis(REDIS_URL);
const limiter = new Limiter(redis);
const keys = new KeyCache(
  async (hash) => (await pool.query({ name: 'key', text: FIND_KEY, values: [hash] })).rows[0],
  API_KEY_PEPPER,
);

const toPet = ({ id, name, category_id, status }) => ({ id, name, categoryId: category_id, status });

async function list(url) {
  const page = pageOf(parse(url.slice(url.indexOf('?') + 1)));
  const { limit, status, cursor = NEWEST } = page;
  const { rows } = await pool.query(
    status === undefined
      ? { name: 'page', text: PAGE, values: [cursor, limit + 1] }
      : { name: 'page-by-status', text: PAGE_BY_STATUS, values: [status, cursor, limit + 1] },
  );
  const pets = rows.slice(0, limit).map(toPet);
  const link = linkOf(page, pets.at(-1)?.id, rows.length > limit);
  return { status: 200, body: pets, headers: link === undefined ? {} : { Link: link } };
}

async function find(url) {
  const id = idOf(url.slice('/v1/pets/'.length));
  const { rows } =
    id === undefined ? { rows: [] } : await pool.query({ name: 'find', text: FIND, values: [id] });
  return rows.length === 0 ? failure(404) : { status: 200, body: toPet(rows[0]), headers: {} };
}

async function add(request) {
  const { name, categoryId, status } = newPetOf(await readJson(request));
  const { rows } = await pool.query({ name: 'add', text: ADD, values: [name, categoryId, status] });
  const pet = toPet(rows[0]);
  return { status: 201, body: pet, headers: { Location: `/v1/pets/${pet.id}` } };
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

function route(request) {
  const { method, url } = request;
  if (method === 'POST' && url === '/v1/pets') return add(request);
  if (method === 'GET' && url.startsWith('/v1/pets/')) return find(url);
  if (method === 'GET' && /^\/v1\/pets(\?|$)/.test(url)) return list(url);
  return failure(404);
}

function failure(status, message) {
  return { status, body: errorBody(status, message), headers: {} };
}

async function answer(request, response) {
  const caller = await keys.caller(request.headers.authorization, request.socket.remoteAddress);
  const verdict = await limiter.charge(caller);
  response.setHeader('X-RateLimit-Limit', verdict.limit);
  response.setHeader('X-RateLimit-Remaining', verdict.remaining);
  response.setHeader('X-RateLimit-Reset', Math.ceil((Date.now() + verdict.resetMs) / 1000));
  if (!verdict.admitted) {
    response.setHeader('Retry-After', Math.ceil(verdict.resetMs / 1000));
    return failure(429);
  }
  return caller.known ? route(request) : failure(401);
}

await limiter.start();
createServer((request, response) => {
  answer(request, response)
    .catch((error) => (error instanceof BadRequest ? failure(400, error.message) : failure(500)))
    .then(({ status, body, headers }) => {
      const json = JSON.stringify(body);
      response.statusCode = status;
      for (const name in headers) response.setHeader(name, headers[name]);
      response.setHeader('Content-Type', 'application/json');
      response.setHeader('Content-Length', Buffer.byteLength(json));
      response.end(json);
    });
}).listen(PORT, HOST);
