import { createServer } from 'node:http';
import { parse } from 'node:querystring';
import { Redis } from 'ioredis';
import pg from 'pg';
import {
  addStatement,
  BadRequest,
  Callers,
  DATABASE_URL,
  DAY_MS,
  errorBody,
  findStatement,
  LISTEN,
  linkOf,
  MINUTE_MS,
  newPetOf,
  pageOf,
  pageStatement,
  REDIS_URL,
} from './common.mjs';

/**
 * Node's own HTTP server with what saves time: pipelined statements, rows written to JSON as they arrive, one call to Redis
 * for all decisions of a tick of the event loop, and one `writeHead`.
 */

/** A named statement that writes its rows to JSON text as they arrive, and asks for no description of them. */
class PetQuery extends pg.Query {
  json = '';
  count = 0;
  lastId = '';

  constructor(statement, limit, callback) {
    super(statement, callback);
    this.limit = limit;
  }

  prepare(connection) {
    const { name, text, values } = this;
    if (!this.hasBeenParsed(connection)) {
      connection.parse({ text, name });
      connection.submittedNamedStatements[name] = text;
    }
    connection.bind({ statement: name, values, valueMapper: String });
    connection.execute({});
    connection.sync();
  }

  handleDataRow({ fields: [id, name, categoryId, status] }) {
    if (this.count++ >= this.limit) return;
    const pet = `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}`;
    this.json = this.json === '' ? pet : `${this.json},${pet}`;
    this.lastId = id;
  }

  handleReadyForQuery() {
    this.callback(null, this);
  }
}

const client = new pg.Client({ connectionString: DATABASE_URL, pipeline: true });
await client.connect();
let corked = false;

/** The statements of one tick leave in one write. */
function cork() {
  if (corked) return;
  corked = true;
  client.connection.stream.cork();
  setImmediate(() => {
    corked = false;
    client.connection.stream.uncork();
  });
}

/** Animals, as a {@link PetQuery} that is done. */
function query(statement, limit) {
  cork();
  return new Promise((resolve, reject) => {
    client.query(new PetQuery(statement, limit, (error, done) => (error ? reject(error) : resolve(done))));
  });
}

const callers = new Callers((statement) => {
  cork();
  return client.query(statement);
});

// For every caller: how many of its requests fit into both windows; those are counted, the others are not.
// Returns five numbers for each: those admitted, then requests before and milliseconds to the end of both windows.
const redis = new Redis(REDIS_URL);
redis.defineCommand('charge', {
  lua: `
local out = {}
for c = 0, #KEYS / 2 - 1 do
  local used, left = {}, {}
  local fits = tonumber(ARGV[3 * c + 3])
  for i = 1, 2 do
    local key = KEYS[2 * c + i]
    used[i] = tonumber(redis.call('get', key) or '0')
    left[i] = redis.call('pttl', key)
    fits = math.min(fits, math.max(0, tonumber(ARGV[3 * c + i]) - used[i]))
  end
  for i = 1, 2 do
    local window = i == 1 and ${MINUTE_MS} or ${DAY_MS}
    if fits > 0 then
      local key = KEYS[2 * c + i]
      if redis.call('incrby', key, fits) == fits then redis.call('pexpire', key, window) end
    end
    if left[i] < 0 then left[i] = window end
  end
  local at = #out
  out[at + 1], out[at + 2], out[at + 3], out[at + 4], out[at + 5] = fits, used[1], left[1], used[2], left[2]
end
return out
`,
});

/** The requests of this tick that wait for a decision, by caller. */
let waiting = new Map();

function charge(caller) {
  if (waiting.size === 0) setImmediate(() => void chargeAll());
  return new Promise((resolve, reject) => {
    const others = waiting.get(caller);
    if (others === undefined) waiting.set(caller, [{ resolve, reject }]);
    else others.push({ resolve, reject });
  });
}

async function chargeAll() {
  const batch = [...waiting];
  waiting = new Map();
  const keys = batch.flatMap(([{ id }]) => [`bare:{${id}}:m`, `bare:{${id}}:d`]);
  const args = batch.flatMap(([{ perMinute, perDay }, requests]) => [perMinute, perDay, requests.length]);
  try {
    const reply = await redis.charge(keys.length, ...keys, ...args);
    batch.forEach(([{ perMinute, perDay }, requests], n) => {
      const [fits, minute, minuteLeft, day, dayLeft] = reply.slice(5 * n, 5 * n + 5);
      requests.forEach(({ resolve }, i) => {
        const before = Math.min(i + 1, fits);
        const [ofMinute, ofDay] = [perMinute - minute - before, perDay - day - before];
        const admitted = i < fits;
        if (ofDay < ofMinute) resolve({ admitted, limit: perDay, remaining: ofDay, resetMs: dayLeft });
        else resolve({ admitted, limit: perMinute, remaining: ofMinute, resetMs: minuteLeft });
      });
    });
  } catch (error) {
    for (const [, requests] of batch) for (const { reject } of requests) reject(error);
  }
}

function readJson(request) {
  return new Promise((resolve, reject) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      try {
        resolve(JSON.parse(text));
      } catch {
        reject(new BadRequest('the body must be JSON'));
      }
    });
  });
}

const failure = (status, message, fields = []) => [
  status,
  JSON.stringify(errorBody(status, message)),
  fields,
];

async function route(request) {
  const { method, url } = request;
  if (method === 'POST' && url === '/v1/pets') {
    const added = await query(addStatement(newPetOf(await readJson(request))), 1);
    return [201, added.json, ['Location', `/v1/pets/${added.lastId}`]];
  }
  if (method === 'GET' && url.startsWith('/v1/pets/')) {
    const statement = findStatement(url.slice('/v1/pets/'.length));
    const found = statement && (await query(statement, 1));
    return found?.count === 1 ? [200, found.json, []] : failure(404);
  }
  if (method === 'GET' && (url === '/v1/pets' || url.startsWith('/v1/pets?'))) {
    const page = pageOf(parse(url.slice('/v1/pets?'.length)));
    const { json, lastId, count } = await query(pageStatement(page), page.limit);
    const link = linkOf(page, lastId, count > page.limit);
    return [200, `[${json}]`, link === undefined ? [] : ['Link', link]];
  }
  return failure(404);
}

createServer(async (request, response) => {
  let fields = [];
  let result;
  try {
    const found = callers.find(request.headers.authorization, request.socket.remoteAddress);
    const caller = found instanceof Promise ? await found : found;
    const { admitted, limit, remaining, resetMs } = await charge(caller);
    const reset = Math.ceil((Date.now() + resetMs) / 1000);
    fields = ['X-RateLimit-Limit', limit, 'X-RateLimit-Remaining', remaining, 'X-RateLimit-Reset', reset];
    if (!admitted) result = failure(429, undefined, ['Retry-After', Math.ceil(resetMs / 1000)]);
    else result = caller.known ? await route(request) : failure(401);
  } catch (error) {
    result = error instanceof BadRequest ? failure(400, error.message) : failure(500);
  }
  const [status, json, more] = result;
  const content = ['Content-Type', 'application/json', 'Content-Length', Buffer.byteLength(json)];
  response.writeHead(status, fields.concat(more, content));
  response.end(json);
}).listen(LISTEN);
