import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage, type Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { waitFor } from '@petstore/testing';
import { GracefulShutdown, RequestContexts, requireForm, StrictExpressAdapter } from '../src/index.js';
import { events, Gate, logged, ThingsModule } from './things.app.js';

type App = INestApplication<Server>;

async function start(): Promise<App> {
  const app = await NestFactory.create<App>(ThingsModule, new StrictExpressAdapter(), {
    bodyParser: false,
    abortOnError: false,
    logger: false,
  });
  const contexts = app.get(RequestContexts);
  app.use((request: Request, response: Response, next: NextFunction) => {
    contexts.begin(request, response);
    requireForm(request);
    next();
  });
  await app.listen(0, '127.0.0.1');
  return app;
}

const portOf = (app: App): number => (app.getHttpServer().address() as AddressInfo).port;
const originOf = (app: App): string => `http://127.0.0.1:${portOf(app)}`;
const requestFor = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

/** Resolves when the server has no connection. */
async function allClosed(app: App): Promise<void> {
  const server = app.getHttpServer();
  while ((await promisify(server.getConnections.bind(server))()) > 0) await sleep(20);
}

beforeEach(() => {
  events.length = 0;
  Gate.close();
});

describe('an application with HttpServerModule', () => {
  let app: App;
  let origin: string;
  beforeAll(async () => {
    app = await start();
    origin = originOf(app);
  });
  afterAll(() => app.close());

  it('serves, in the one form of errors', async () => {
    const response = await fetch(`${origin}/things/1`);
    expect([response.status, await response.json()]).toEqual([200, { id: '1' }]);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const teapot = await fetch(`${origin}/things/teapot`);
    expect(await teapot.json()).toMatchObject({ code: 'service_unavailable', message: 'A teapot.' });
    expect(await (await fetch(`${origin}/nothing`)).json()).toMatchObject({ code: 'route_not_found' });
    expect(events).toEqual(['service_unavailable', 'route_not_found']);
  });

  it.each([
    ['missing', 404, 'route_not_found', 'There is no such cat.'],
    ['wrong', 400, 'bad_request', 'age must be a number; name must be text'],
    ['taken', 409, 'name_taken', 'Another cat has this name.'],
    ['undecodable', 400, 'bad_request', 'The request is not well-formed HTTP.'],
    ['busy', 503, 'service_unavailable', 'The cats are asleep.'],
    ['nameless', 500, 'internal_error', undefined],
    ['teapot', 500, 'internal_error', undefined],
    ['broken', 500, 'internal_error', undefined],
    ['moved', 500, 'internal_error', undefined],
  ])("gives Nest's own exception %s status %i and code %s", async (name, status, code, message) => {
    logged.length = 0;
    const response = await fetch(`${origin}/exceptions/${name}`);
    expect(response.status).toBe(status);
    const usual = 'The service failed to answer this request. Quote the X-Request-Id when reporting it.';
    expect(await response.json()).toEqual({ code, status, message: message ?? usual });
    expect(response.headers.get('retry-after')).toBe(status === 503 ? '1' : null);
    // A handler that throws what has no form in the contract is at fault.
    if (status !== 503) expect(logged).toEqual(status === 500 ? ['request failed'] : []);
  });

  it('handles pipelined requests one after the other, and ends a connection with more than a hundred', async () => {
    const socket = net.connect({ port: portOf(app), host: '127.0.0.1' });
    let text = '';
    socket.on('error', () => undefined).on('data', (bytes) => (text += bytes.toString()));
    socket.write(requestFor('/slow') + requestFor('/things/1').repeat(99));
    await waitFor(() => events.includes('begun'));
    await sleep(50);
    expect(text).toBe('');
    Gate.release();
    await waitFor(() => text.match(/HTTP\/1\.1 200/g)?.length === 100);
    socket.write(requestFor('/things/1').repeat(102));
    await once(socket, 'close');
  });

  it('begins none of the requests behind one whose client has gone', async () => {
    let isClosed = false;
    app.getHttpServer().once('connection', (taken: net.Socket) => {
      taken.once('close', () => (isClosed = true));
    });
    const socket = net.connect({ port: portOf(app), host: '127.0.0.1' });
    socket.write(requestFor('/slow') + requestFor('/things/teapot').repeat(50));
    await waitFor(() => events.includes('begun'));
    socket.resetAndDestroy();
    await waitFor(() => isClosed);
    Gate.release();
    await waitFor(() => events.includes('responded'));
    expect(events).toEqual(['begun', 'responded']);
  });

  it('gives a client time to read that it is refused, however much it sends', async () => {
    const client = net.connect(portOf(app), '127.0.0.1').on('error', () => undefined);
    client.pause().write('POST /things/1 HTTP/1.1\r\nHost: a\r\nContent-Length: 4000000\r\n\r\n');
    client.write(Buffer.alloc(4_000_000));
    await sleep(200);
    let text = '';
    client.on('data', (bytes) => (text += bytes.toString())).resume();
    await new Promise((resolve) => client.once('close', resolve));
    expect(text).toMatch(/^HTTP\/1\.1 404 [^]*"route_not_found"[^]*}$/);
  });
});

describe('an application that stops', () => {
  it('finishes the requests at work before anything that they need is closed', async () => {
    const app = await start();
    const origin = originOf(app);
    const running = fetch(`${origin}/slow`);
    await waitFor(() => events.includes('begun'));
    const agent = new Agent({ keepAlive: true });
    async function connectionField(): Promise<string | undefined> {
      const [response] = (await once(get(`${origin}/things/1`, { agent }), 'response')) as [IncomingMessage];
      expect(response.resume().statusCode).toBe(200);
      return response.headers.connection;
    }
    const closing = app.close();
    await waitFor(() => app.get(GracefulShutdown).isStopping);
    expect(await connectionField()).toBe('keep-alive');
    // On the same connection: there is no other any more.
    await waitFor(() => !app.getHttpServer().listening);
    expect(await connectionField()).toBe('close');
    Gate.release();
    expect((await running).status).toBe(200);
    await closing;
    expect(events).toEqual(['begun', 'responded', 'store closed']);
    // The server tells of its end a moment before its last socket does.
    await allClosed(app);
  });

  it.each([
    ['connect for each request', false],
    ['keep a connection', true],
  ])('loses no request of clients that %s, and then refuses connections', async (_, keepsConnection) => {
    const app = await start();
    let taken = 0;
    app.getHttpServer().on('request', () => taken++);
    const clients = new Worker(new URL('clients.mjs', import.meta.url), {
      workerData: { port: portOf(app), clients: 3, keepsConnection },
    });
    expect(await once(clients, 'message')).toEqual(['served']);
    const ended = new Promise<{ served: number; outcome: string }[]>((resolve) => {
      clients.on('message', (message: 'served' | { served: number; outcome: string }[]) => {
        if (message !== 'served') resolve(message);
      });
    });
    await app.close();
    const outcomes = await ended;
    expect(outcomes.reduce((sum, { served }) => sum + served, 0)).toBe(taken);
    // What the kernel has connected at the moment of closing, and nobody has accepted, is reset (docs/proxies.md).
    for (const { outcome } of outcomes) expect(outcome).toMatch(/^ECONN(?:REFUSED|RESET)$/);
  });

  it('ends the connections of requests that do not end', async () => {
    const app = await start();
    const running = fetch(`${originOf(app)}/slow`).catch(() => 'lost');
    await waitFor(() => events.includes('begun'));
    await app.close();
    expect(await running).toBe('lost');
    expect(events).toEqual(['begun', 'store closed']);
  });
});

describe('a connection without progress', () => {
  let app: App;
  beforeAll(async () => {
    app = await start();
    app.getHttpServer().timeout = 200;
  });
  afterAll(() => app.close());

  /**
   * Connections that the system still has, at either end: lines of /proc/net/tcp. One that was reset is gone at once; one
   * that was ended remains, with what was not read, until its client has read it. The listener (0A) is none, and one in
   * TIME_WAIT (06) keeps no data and may be of a server that had this port before.
   */
  function leftInSystem(): string[] {
    const end = `:${portOf(app).toString(16).toUpperCase().padStart(4, '0')}`;
    const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n');
    return lines.filter((line) => line.includes(end) && !/ (?:0A|06) /.test(line));
  }

  it.each([
    ['is reset when its client does not read a response, so that the system keeps nothing of it', '/large'],
    ['is ended without a reset when it is only idle', undefined],
  ])('%s', async (_what, path) => {
    let taken = false;
    app.getHttpServer().once('connection', () => (taken = true));
    const client = net.connect(portOf(app), '127.0.0.1').pause();
    const ended = new Promise<string>((resolve) => {
      client.on('error', ({ code }: NodeJS.ErrnoException) => {
        resolve(String(code));
      });
      client.on('close', () => {
        resolve('closed');
      });
    });
    await once(client, 'connect');
    if (path !== undefined) client.write(requestFor(path));
    await waitFor(() => taken);
    if (path === undefined) client.resume();
    await allClosed(app);
    if (path !== undefined && existsSync('/proc/net/tcp')) expect(leftInSystem()).toEqual([]);
    client.resume();
    // Which of both a client sees that had not read all depends on its system.
    expect(path === undefined ? ['closed'] : ['closed', 'ECONNRESET']).toContain(await ended);
  });
});

it('the module needs its adapter', async () => {
  const other = await NestFactory.create(ThingsModule, { logger: false, abortOnError: false });
  await expect(other.init()).rejects.toThrow('StrictExpressAdapter');
});
