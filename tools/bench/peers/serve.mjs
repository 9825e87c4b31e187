import { createServer } from 'node:http';
import { parse } from 'node:querystring';
import { BadRequest, errorBody, LISTEN, newPetOf, pageOf } from './common.mjs';

/**
 * The API on node's own HTTP server, with one `writeHead` for a response.
 *
 * @param {object} parts
 * @param {import('./common.mjs').Callers} parts.callers
 * @param {(caller: object) => Promise<{ admitted: boolean, limit: number, remaining: number, resetMs: number }>} parts.charge
 * @param {(page: object) => Promise<{ json: string, link?: string }>} parts.list
 * @param {(id: string) => Promise<string | undefined>} parts.find  an animal as JSON
 * @param {(pet: object) => Promise<{ json: string, id: number | string }>} parts.add
 */
export function serve({ callers, charge, list, find, add }) {
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
      const { admitted, limit, remaining, resetMs } = await charge(caller);
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
