import { afterEach, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionTable, EdgeMiddleware, StrictExpressAdapter } from '../src/index.js';
import { ThingsModule } from './things.app.js';

/** How long the server bears with a connection without progress here, in milliseconds. */
const NO_PROGRESS_MS = 200;

let app: INestApplication<Server>;

async function start(): Promise<number> {
  app = await NestFactory.create<INestApplication<Server>>(ThingsModule, new StrictExpressAdapter(), {
    bodyParser: false,
    logger: false,
  });
  app.use(app.get(EdgeMiddleware).use);
  app.getHttpServer().timeout = NO_PROGRESS_MS;
  await app.listen(0, '127.0.0.1');
  return (app.getHttpServer().address() as AddressInfo).port;
}

afterEach(() => app.close());

/** A client that asks for this and reads nothing until it is told to. */
async function ask(port: number, text: string): Promise<{ client: Socket; error: Promise<string> }> {
  const client = net.connect(port, '127.0.0.1');
  const error = new Promise<string>((resolve) => {
    client.on('error', ({ code }: NodeJS.ErrnoException) => {
      resolve(String(code));
    });
    client.on('close', () => {
      resolve('closed');
    });
  });
  await once(client, 'connect');
  client.pause();
  client.write(text);
  return { client, error };
}

async function allClosed(): Promise<void> {
  while (app.get(ConnectionTable).size > 0) await sleep(20);
}

/**
 * Connections of a port that the system still has, at either end: lines of /proc/net/tcp. One that was reset is gone at
 * once; one that was ended remains, with what was not read, until its client has read it. The listener (0A) is none, and
 * one in TIME_WAIT (06) keeps no data and may be of a server that had this port before.
 */
function leftInSystem(port: number): string[] {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .filter((line) => line.includes(end) && !/ (?:0A|06) /.test(line));
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

describe('a response that is never read', () => {
  it('ends with a reset, so that the system keeps nothing of it', async () => {
    const port = await start();
    const { client, error } = await ask(port, get('/large'));
    while (app.get(ConnectionTable).size === 0) await sleep(5);
    await allClosed();
    if (existsSync('/proc/net/tcp')) expect(leftInSystem(port)).toEqual([]);
    client.resume();
    // Which of both a client sees that had not read all depends on its system.
    expect(['ECONNRESET', 'closed']).toContain(await error);
  }, 20_000);
});

describe('a connection that is only idle', () => {
  it('ends without a reset', async () => {
    const port = await start();
    const { client, error } = await ask(port, '');
    client.resume();
    expect(await error).toBe('closed');
    await allClosed();
  });
});
