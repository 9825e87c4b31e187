import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express, { type Express } from 'express';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMessageClasses } from './express-prototypes.js';

/** Uses of Express that reach its own methods, node's, and those of the response class. */
function application(): Express {
  const app = express();
  app.get('/json', (request, response) => {
    response.set('X-Seen', request.get('x-given') ?? '').json({ query: request.query, path: request.path });
  });
  app.get('/types', (request, response) => {
    response.vary('Accept').type('text/plain').status(202).append('Link', '<a>').append('Link', '<b>');
    response.send(String(request.accepts(['html', 'json'])));
  });
  app.get('/redirect', (_request, response) => {
    response.cookie('a', 'b', { httpOnly: true }).redirect('/json');
  });
  app.get('/fresh', (request, response) => {
    response.set('ETag', '"a"').status(200);
    response.status(request.fresh ? 304 : 200).end(request.fresh ? undefined : 'text');
  });
  app.get('/locals', (_request, response) => {
    response.locals['a'] = 1;
    response.removeHeader('X-Powered-By');
    response.end(JSON.stringify([response.locals, response.app === app, response.req.res === response]));
  });
  app.post('/length', (request, response) => {
    let length = 0;
    request.on('data', (bytes: Buffer) => (length += bytes.length));
    request.on('end', () => response.json({ length }));
  });
  return app;
}

const servers: Server[] = [];
const seen: { before: unknown; after: unknown; own: unknown }[] = [];

async function start(
  app: Express,
  listener: (request: IncomingMessage) => void,
  classes?: object,
): Promise<string> {
  const server = createServer({ ...classes }, (request, response) => {
    listener(request);
    app(request, response);
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

let plain: string;
let prepared: string;

beforeAll(async () => {
  plain = await start(application(), () => undefined);
  const app = application();
  const classes = createMessageClasses(app, {});
  prepared = await start(
    app,
    (request) => {
      const before: unknown = Object.getPrototypeOf(request);
      setImmediate(() => {
        const after: unknown = Object.getPrototypeOf(request);
        seen.push({ before, after, own: classes.IncomingMessage.prototype });
      });
    },
    classes,
  );
});
afterAll(() => {
  for (const server of servers) server.close();
});

async function exchange(origin: string, path: string, init: RequestInit): Promise<object> {
  const response = await fetch(origin + path, { redirect: 'manual', ...init });
  const headers = Object.fromEntries([...response.headers].filter(([name]) => name !== 'date'));
  return { status: response.status, headers, text: await response.text() };
}

describe('requests and responses that have Express’ prototypes from the start', () => {
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
  ])('are handled as any others: %s %j', async (path, init) => {
    expect(await exchange(prepared, path, init)).toEqual(await exchange(plain, path, init));
  });

  it('keep their prototypes: Express sets those that they have', async () => {
    seen.length = 0;
    await exchange(prepared, '/json', {});
    expect(seen).toHaveLength(1);
    expect(seen[0]?.before).toBe(seen[0]?.own);
    expect(seen[0]?.after).toBe(seen[0]?.own);
  });

  it('are what Express goes by: it takes the prototypes of the application', async () => {
    const app = application();
    let asked: unknown;
    app.use((request, _response, next) => {
      asked = Object.getPrototypeOf(request);
      next();
    });
    const origin = await start(app, () => undefined);
    await exchange(origin, '/nothing', {});
    expect(asked).toBe(app.request);
  });
});
