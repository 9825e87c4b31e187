import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Express, RequestHandler } from 'express';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StrictExpressAdapter } from './strict-express.adapter.js';

/** Uses of Express that reach its own methods, node's, and those of the classes. */
const HANDLERS: Readonly<Record<string, RequestHandler>> = {
  '/json': (request, response) => {
    response
      .set('X-Seen', request.get('x-given') ?? '')
      .json({ query: (request.query as unknown as URLSearchParams).get('a'), path: request.path });
  },
  '/types': (request, response) => {
    response.vary('Accept').type('text/plain').status(202).append('Link', '<a>').append('Link', '<b>');
    response.send(String(request.accepts(['html', 'json'])));
  },
  '/redirect': (_request, response) => {
    response.cookie('a', 'b', { httpOnly: true }).redirect('/json');
  },
  '/fresh': (request, response) => {
    response.set('ETag', '"a"').status(200);
    response.status(request.fresh ? 304 : 200).end(request.fresh ? undefined : 'text');
  },
  '/locals': (_request, response) => {
    response.locals['a'] = 1;
    response.removeHeader('X-Powered-By');
    response.end(JSON.stringify([response.locals, response.req.res === response]));
  },
  '/length': (request, response) => {
    let length = 0;
    request.on('data', (bytes: Buffer) => (length += bytes.length));
    request.on('end', () => response.json({ length }));
  },
};

function adapter(): StrictExpressAdapter {
  const strict = new StrictExpressAdapter();
  const app = strict.getInstance<Express>();
  for (const [path, handler] of Object.entries(HANDLERS)) app.all(path, handler);
  return strict;
}

/** Whether Express leaves the prototypes of a request and its response as they are. */
let keepsPrototypes: boolean;

function handle(strict: StrictExpressAdapter): RequestListener {
  const app = strict.getInstance<RequestListener>();
  return (request, response) => {
    const before = [request, response].map((each) => Object.getPrototypeOf(each) as unknown);
    app(request, response);
    keepsPrototypes = [request, response].every((each, at) => Object.getPrototypeOf(each) === before[at]);
  };
}

const servers: Server[] = [];
async function originOf(server: Server): Promise<string> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function exchange(origin: string, path: string, init: RequestInit): Promise<object> {
  const response = await fetch(origin + path, { redirect: 'manual', ...init });
  const headers = Object.fromEntries(
    [...response.headers].filter(([name]) => !/^(?:date|keep-alive)$/.test(name)),
  );
  return { status: response.status, headers, text: await response.text() };
}

describe('requests and responses that have Express’ prototypes from the start', () => {
  let plain: string;
  let prepared: string;

  beforeAll(async () => {
    plain = await originOf(createServer(handle(adapter())));
    const strict = adapter();
    strict.initHttpServer();
    prepared = await originOf((strict.getHttpServer() as Server).on('request', handle(strict)));
  });
  afterAll(() => {
    for (const server of servers) server.close();
  });

  it.each<[string, RequestInit]>([
    ['/json?a=1&b=2', { headers: { 'X-Given': 'yes' } }],
    ['/types', { headers: { Accept: 'application/json' } }],
    ['/redirect', {}],
    ['/fresh', { headers: { 'If-None-Match': '"a"' } }],
    ['/fresh', {}],
    ['/locals', {}],
    ['/nothing', {}],
    ['/length', { method: 'POST', body: 'x'.repeat(5_000) }],
    ['/json', { method: 'HEAD' }],
  ])('are handled as any others, and keep their prototypes: %s %j', async (path, init) => {
    const ours = await exchange(prepared, path, init);
    expect(keepsPrototypes).toBe(true);
    expect(ours).toEqual(await exchange(plain, path, init));
    expect(keepsPrototypes).toBe(false);
  });
});
