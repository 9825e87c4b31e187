import { createServer } from 'node:http';
import { parse } from 'node:querystring';
import { Redis } from 'ioredis';
import { BadRequest, DAY_MS, errorBody, LISTEN, MINUTE_MS, newPetOf, pageOf, REDIS_URL } from './common.mjs';

// For every caller: how many of its requests fit into both windows; those are counted, the others are not.
// Returns five numbers for each: those admitted, then requests before and milliseconds to the end of both windows.
const CONSUME = `
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
`;

/**
 * Consumes for requests of different callers by one script.
 *
 * @param {string} prefix of the keys in Redis
 * @returns {(consumptions: { caller: object, requests: number }[]) => Promise<number[][]>} for each caller how many of its
 *   requests are admitted, then for the minute and the day the requests before and the milliseconds to the end
 */
export function chargesOn(prefix) {
  const redis = new Redis(REDIS_URL);
  redis.defineCommand('consume', { lua: CONSUME });
  return async (consumptions) => {
    const keys = consumptions.flatMap(({ caller: { id } }) => [`${prefix}:{${id}}:m`, `${prefix}:{${id}}:d`]);
    const args = consumptions.flatMap(({ caller, requests }) => [caller.perMinute, caller.perDay, requests]);
    const reply = await redis.consume(keys.length, ...keys, ...args);
    return consumptions.map((_, n) => reply.slice(5 * n, 5 * n + 5));
  };
}

/**
 * The API on node's own HTTP server, with one `writeHead` for a response.
 *
 * @param {object} parts
 * @param {import('./common.mjs').Callers} parts.callers
 * @param {(caller: object) => Promise<{ admitted: boolean, limit: number, remaining: number, resetMs: number }>} parts.consume
 * @param {(page: object) => Promise<{ json: string, link?: string }>} parts.list
 * @param {(id: string) => Promise<string | undefined>} parts.find  an animal as JSON
 * @param {(pet: object) => Promise<{ json: string, id: number | string }>} parts.add
 */
export function serve({ callers, consume, list, find, add }) {
  const route = async (request) => {
    const { method, url } = request;
    if (method === 'POST' && url === '/v1/pets') {
      const { id, json } = await add(newPetOf(await readJson(request)));
      return { status: 201, json, fields: ['Location', `/v1/pets/${id}`] };
    }
    if (method === 'GET' && url.startsWith('/v1/pets/')) {
      const json = await find(url.slice('/v1/pets/'.length));
      return json === undefined ? failure(404) : { status: 200, json, fields: [] };
    }
    if (method === 'GET' && (url === '/v1/pets' || url.startsWith('/v1/pets?'))) {
      const { json, link } = await list(pageOf(parse(url.slice('/v1/pets?'.length))));
      return { status: 200, json, fields: link === undefined ? [] : ['Link', link] };
    }
    return failure(404);
  };

  createServer(async (request, response) => {
    let limits = [];
    let result;
    try {
      const caller = await callers.find(request.headers.authorization, request.socket.remoteAddress);
      const { admitted, limit, remaining, resetMs } = await consume(caller);
      const reset = Math.ceil((Date.now() + resetMs) / 1000);
      limits = ['X-RateLimit-Limit', limit, 'X-RateLimit-Remaining', remaining, 'X-RateLimit-Reset', reset];
      if (!admitted) result = failure(429, undefined, ['Retry-After', Math.ceil(resetMs / 1000)]);
      else result = caller.known ? await route(request) : failure(401);
    } catch (error) {
      result = error instanceof BadRequest ? failure(400, error.message) : failure(500);
    }
    const { status, json, fields } = result;
    const content = ['Content-Type', 'application/json', 'Content-Length', Buffer.byteLength(json)];
    response.writeHead(status, limits.concat(fields, content));
    response.end(json);
  }).listen(LISTEN);
}

const failure = (status, message, fields = []) => ({
  status,
  json: JSON.stringify(errorBody(status, message)),
  fields,
});

async function readJson(request) {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  try {
    return JSON.parse(text);
  } catch {
    throw new BadRequest('the body must be JSON');
  }
}
