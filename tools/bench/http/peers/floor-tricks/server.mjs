import { createServer } from 'node:http';
import { parse } from 'node:querystring';
import { Redis } from 'ioredis';
import { API_KEY_PEPPER, DATABASE_URL, HOST, PORT, REDIS_URL } from '../shared/environment.mjs';
import { errorBody } from '../shared/error-body.mjs';
import { FIND_KEY, KeyCache } from '../shared/key-cache.mjs';
import { BadRequest, idOf, linkOf, newPetOf, pageOf } from '../shared/pet-rules.mjs';
import { ADD, FIND, NEWEST, PAGE, PAGE_BY_STATUS } from '../shared/pet-sql.mjs';
import { PipelinedQueries } from './pipelined-queries.mjs';
import { TurnLimiter } from './turn-limiter.mjs';

/** Node's own HTTP server with everything that was found to save time: the practical floor. */

const KEY = { name: 'key', text: FIND_KEY };
const STATEMENTS = {
  page: { name: 'page', text: PAGE },
  pageByStatus: { name: 'page-by-status', text: PAGE_BY_STATUS },
  find: { name: 'find', text: FIND },
  add: { name: 'add', text: ADD },
};

const queries = new PipelinedQueries(DATABASE_URL);
const limiter = new TurnLimiter(new Redis(REDIS_URL));
const keys = new KeyCache((hash) => queries.row(KEY, [hash]), API_KEY_PEPPER);

function list(exchange, url) {
  const at = url.indexOf('?');
  const page = pageOf(at < 0 ? {} : parse(url.slice(at + 1)));
  const { limit, status, cursor = NEWEST } = page;
  const done = (error, found) => {
    if (error) return exchange.fail(500);
    const link = linkOf(page, found.lastId, found.count > limit);
    exchange.send(200, `[${found.json}]`, link === undefined ? [] : ['Link', link]);
  };
  if (status === undefined) queries.pets(STATEMENTS.page, [cursor, limit + 1], limit, done);
  else queries.pets(STATEMENTS.pageByStatus, [status, cursor, limit + 1], limit, done);
}

function find(exchange, url) {
  const id = idOf(url.slice('/v1/pets/'.length));
  if (id === undefined) return exchange.fail(404);
  queries.pets(STATEMENTS.find, [id], 1, (error, found) => {
    if (error) exchange.fail(500);
    else if (found.count === 0) exchange.fail(404);
    else exchange.send(200, found.json, []);
  });
}

function add(exchange, request) {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk) => (text += chunk));
  request.on('end', () => {
    exchange.attempt(() => {
      const { name, categoryId, status } = newPetOf(parseJson(text));
      queries.pets(STATEMENTS.add, [name, categoryId, status], 1, (error, added) => {
        if (error) exchange.fail(500);
        else exchange.send(201, added.json, ['Location', `/v1/pets/${added.lastId}`]);
      });
    });
  });
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadRequest('the body must be JSON');
  }
}

/** One request and its answer, which is written with one call. */
class Exchange {
  #request;
  #response;
  #caller;
  #limits;

  constructor(request, response) {
    this.#request = request;
    this.#response = response;
  }

  start() {
    const { headers, socket } = this.#request;
    const caller = keys.caller(headers.authorization, socket.remoteAddress);
    if (caller instanceof Promise)
      caller.then(
        (found) => this.#charge(found),
        () => this.fail(500),
      );
    else this.#charge(caller);
  }

  #charge(caller) {
    this.#caller = caller;
    limiter.charge(caller, (error, admitted, limit, remaining, resetMs) => {
      if (error) return this.fail(500);
      const reset = Math.ceil((Date.now() + resetMs) / 1000);
      this.#limits = [
        'X-RateLimit-Limit',
        limit,
        'X-RateLimit-Remaining',
        remaining,
        'X-RateLimit-Reset',
        reset,
      ];
      if (!admitted) this.fail(429, undefined, ['Retry-After', Math.ceil(resetMs / 1000)]);
      else if (!this.#caller.known) this.fail(401);
      else this.attempt(() => this.#route());
    });
  }

  #route() {
    const { method, url } = this.#request;
    if (method === 'POST' && url === '/v1/pets') add(this, this.#request);
    else if (method === 'GET' && url.startsWith('/v1/pets/')) find(this, url);
    else if (method === 'GET' && (url === '/v1/pets' || url.startsWith('/v1/pets?'))) list(this, url);
    else this.fail(404);
  }

  attempt(step) {
    try {
      step();
    } catch (error) {
      if (error instanceof BadRequest) this.fail(400, error.message);
      else this.fail(500);
    }
  }

  fail(status, message, headers = []) {
    this.send(status, JSON.stringify(errorBody(status, message)), headers);
  }

  send(status, json, headers) {
    const length = Buffer.byteLength(json);
    const type = ['Content-Type', 'application/json', 'Content-Length', length];
    this.#response.writeHead(status, (this.#limits ?? []).concat(headers, type));
    this.#response.end(json);
  }
}

await queries.start();
await limiter.start();
createServer((request, response) => new Exchange(request, response).start()).listen(PORT, HOST);
