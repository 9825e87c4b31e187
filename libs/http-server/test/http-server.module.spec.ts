import { afterEach, describe, expect, it } from '@jest/globals';
import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { once } from 'node:events';
import type { Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ConnectionTable,
  EdgeMiddleware,
  GracefulShutdown,
  LoadShedder,
  StrictExpressAdapter,
} from '../src/index.js';
import { events, Gate, ThingsModule } from './things.app.js';

let app: INestApplication<Server> | undefined;

async function start(): Promise<{ origin: string; port: number }> {
  events.length = 0;
  Gate.close();
  app = await NestFactory.create<INestApplication<Server>>(ThingsModule, new StrictExpressAdapter(), {
    bodyParser: false,
    abortOnError: false,
    logger: false,
  });
  app.use(app.get(EdgeMiddleware).use);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, port };
}

afterEach(async () => {
  Gate.release();
  await app?.close();
  app = undefined;
});

describe('an application with HttpServerModule', () => {
  it('serves, in the one form of errors', async () => {
    const { origin } = await start();
    const response = await fetch(`${origin}/things/1`);
    expect([response.status, await response.json()]).toEqual([200, { id: '1' }]);
    expect(response.headers.get('x-frame-options')).toBe('DENY');
    const teapot = await fetch(`${origin}/things/teapot`);
    expect(await teapot.json()).toMatchObject({ code: 'service_unavailable', message: 'A teapot.' });
    expect(await (await fetch(`${origin}/nothing`)).json()).toMatchObject({ code: 'route_not_found' });
    expect(events).toEqual(['service_unavailable', 'route_not_found']);
  });

  it('makes DTOs of queries', async () => {
    const { origin } = await start();
    const list = async (query: string): Promise<unknown> => (await fetch(`${origin}/things${query}`)).json();
    expect(await list('?limit=5&other=1')).toEqual({ limit: 5, sent: '5' });
    expect(await list('')).toEqual({ limit: 20 });
    expect(await list('?limit=5&limit=5')).toMatchObject({
      code: 'invalid_parameter',
      message: 'limit must be digits, given once.',
    });
    expect(await list(`?${'a&'.repeat(4_000)}l%69mit=5`)).toMatchObject({ limit: 5 });
  });

  it('reads and checks bodies', async () => {
    const { origin } = await start();
    const post = async (body: string): Promise<unknown> => {
      const headers = { 'Content-Type': 'application/json' };
      return (await fetch(`${origin}/things`, { method: 'POST', headers, body })).json();
    };
    expect(await post('{"name":"ball"}')).toEqual({ name: 'ball' });
    expect(await post('{"name":1}')).toMatchObject({
      code: 'validation_failed',
      message: 'name must be a text.',
    });
  });

  it('refuses what the parser does, after the responses before it, and serves a client that sends no more', async () => {
    const { port } = await start();
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let text = '';
    socket.on('data', (bytes) => (text += bytes.toString()));
    socket.end('GET /things/1 HTTP/1.1\r\nHost: a\r\n\r\nGARBAGE\r\n\r\n');
    await once(socket, 'close');
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
    expect(events).toEqual(['parser']);
  });

  it('sheds the requests of an address that has its share of the places', async () => {
    const { origin } = await start();
    const first = fetch(`${origin}/slow`);
    while (!events.includes('begun')) await sleep(5);
    const refused = await fetch(`${origin}/slow`);
    expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('x-plan')]).toEqual([
      503,
      '1',
      'free',
    ]);
    expect((await fetch(`${origin}/things/1`)).status).toBe(200);
    Gate.release();
    expect((await first).status).toBe(200);
    expect(app?.get(LoadShedder).isStalled).toBe(false);
  });

  it('finishes the requests at work before anything that they need is closed', async () => {
    const { origin } = await start();
    const running = fetch(`${origin}/slow`);
    while (!events.includes('begun')) await sleep(5);
    const closing = app?.close();
    while (app?.get(GracefulShutdown).isStopping === false) await sleep(5);
    const late = await fetch(`${origin}/things/1`);
    expect([late.status, late.headers.get('connection')]).toEqual([200, 'close']);
    Gate.release();
    expect((await running).status).toBe(200);
    await closing;
    expect(events).toEqual(['begun', 'responded', 'store closed']);
    // The server tells of its end a moment before its last socket does.
    while (app?.get(ConnectionTable).size !== 0) await sleep(5);
    app = undefined;
  });

  it('ends the connections of requests that do not end', async () => {
    const { origin } = await start();
    const running = fetch(`${origin}/slow`).catch(() => 'lost');
    while (!events.includes('begun')) await sleep(5);
    const began = performance.now();
    await app?.close();
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(await running).toBe('lost');
    expect(events).toEqual(['begun', 'store closed']);
    app = undefined;
  });

  it('needs its adapter, and the adapter needs the module', async () => {
    const create = NestFactory.create(ThingsModule, { logger: false, abortOnError: false });
    const other = await create;
    await expect(other.init()).rejects.toThrow('StrictExpressAdapter');
    @Module({})
    class Empty {}
    const bare = await NestFactory.create(Empty, new StrictExpressAdapter(), { logger: false });
    await expect(bare.listen(0, '127.0.0.1')).rejects.toThrow('HttpServerModule');
  });
});
