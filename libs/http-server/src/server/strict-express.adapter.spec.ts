import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express, { type Express, type RequestHandler } from 'express';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMessageClasses } from './strict-express.adapter.js';

/** Uses of Express that reach its own methods, node's, and those of the classes. */
const HANDLERS: Readonly<Record<string, RequestHandler>> = {
  '/json': (request, response) => {
    response.set('X-Seen', request.get('x-given') ?? '').json({ query: request.query, path: request.path });
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

function application(): Express {
  const app = express();
  for (const [path, handler] of Object.entries(HANDLERS)) app.all(path, handler);
  return app;
}

const servers: Server[] = [];
async function start(listener: RequestListener, classes = {}): Promise<string> {
  const server = createServer(classes, listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function exchange(origin: string, path: string, init: RequestInit): Promise<object> {
  const response = await fetch(origin + path, { redirect: 'manual', ...init });
  const headers = Object.fromEntries([...response.headers].filter(([name]) => name !== 'date'));
  return { status: response.status, headers, text: await response.text() };
}

describe('requests and responses that have Express’ prototypes from the start', () => {
  const app = application();
  const classes = createMessageClasses(app);
  /** The prototypes of the last request, before and after Express had it. */
  let seen: readonly [unknown, unknown];
  let plain: string;
  let prepared: string;

  beforeAll(async () => {
    plain = await start(application());
    prepared = await start((request, response) => {
      const before: unknown = Object.getPrototypeOf(request);
      app(request, response);
      seen = [before, Object.getPrototypeOf(request)];
    }, classes);
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
    expect(await exchange(prepared, path, init)).toEqual(await exchange(plain, path, init));
    // Express sets those of the application, which they have already.
    for (const prototype of [app.request, ...seen]) expect(prototype).toBe(classes.IncomingMessage.prototype);
  });
});
