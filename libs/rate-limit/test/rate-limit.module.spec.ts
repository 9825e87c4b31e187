import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  type DynamicModule,
  Get,
  type INestApplication,
  Module,
  UseInterceptors,
} from '@nestjs/common';
import { APP_INTERCEPTOR, NestFactory } from '@nestjs/core';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startRedis } from '@petstore/test-servers';
import { Redis } from 'ioredis';
import 'reflect-metadata';
import { TrustedProxies } from '../src/index.js';
import { RateLimitInterceptor, RateLimitModule } from '../src/nest/index.js';
import { singleRedisAt } from './redis-at.js';

@Controller()
class Open {
  @Get('open')
  get(): string {
    return 'open';
  }
}

@Controller()
@UseInterceptors(RateLimitInterceptor)
class Limited {
  @Get('limited')
  get(): string {
    return 'limited';
  }
}

@Module({})
class Root {}

@Module({})
class Options {}

const addressLimits = { perMinute: 2, perDay: 10 };
let app: INestApplication<Server> | undefined;
afterEach(() => app?.close());

async function listen(root: DynamicModule): Promise<(path: string, forwarded?: string) => Promise<Response>> {
  const created = await NestFactory.create<INestApplication<Server>>(root, { logger: false });
  app = created;
  await created.listen(0, '127.0.0.1');
  const { port } = created.getHttpServer().address() as AddressInfo;
  return (path, forwarded) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    });
}

const statuses = async (answers: Promise<Response>[]): Promise<number[]> =>
  (await Promise.all(answers)).map(({ status }) => status).sort();

describe('RateLimitModule', () => {
  it('limits the controllers that use its interceptor, by address, in the form of Nest', async () => {
    const get = await listen({
      module: Root,
      imports: [RateLimitModule.forRoot({ addressLimits })],
      controllers: [Open, Limited],
    });
    expect((await get('/limited')).headers.get('x-ratelimit-remaining')).toBe('1');
    expect((await get('/limited')).status).toBe(200);
    const refused = await get('/limited');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(await refused.json()).toEqual({
      statusCode: 429,
      message: 'The rate limit is exceeded.',
      error: 'rate_limit_exceeded',
    });
    expect((await get('/open')).headers.get('x-ratelimit-limit')).toBeNull();
  });

  it('limits everything as APP_INTERCEPTOR, with options that are injected', async () => {
    const options = { limits: addressLimits, proxies: ['127.0.0.0/8'] };
    const get = await listen({
      module: Root,
      imports: [
        RateLimitModule.forRootAsync({
          imports: [
            { module: Options, providers: [{ provide: 'options', useValue: options }], exports: ['options'] },
          ],
          inject: ['options'],
          useFactory: ({ limits, proxies }: typeof options) => ({
            addressLimits: limits,
            trustedProxies: proxies,
          }),
        }),
      ],
      controllers: [Open],
      providers: [{ provide: APP_INTERCEPTOR, useExisting: RateLimitInterceptor }],
    });
    const three = (client: string) => Array.from({ length: 3 }, () => get('/open', client));
    expect(await statuses(three('192.0.2.1'))).toEqual([200, 200, 429]);
    expect(await statuses(three('192.0.2.2'))).toEqual([200, 200, 429]);
    expect(app?.get(TrustedProxies, { strict: false }).include('127.0.0.1')).toBe(true);
  });

  it('connects when the application starts, leaves the client alone, and ends its connections with the application', async () => {
    const server = await startRedis();
    const observed = new Redis(server.url);
    const connections = async () =>
      String(await observed.client('LIST'))
        .trim()
        .split('\n').length;
    const client = singleRedisAt(server.url);
    await observed.ping();
    const before = await connections();
    const get = await listen({
      module: Root,
      imports: [RateLimitModule.forRoot({ addressLimits, redis: client, keyPrefix: 'mine:' })],
      controllers: [Limited],
    });
    expect(await connections()).toBe(before + 1);
    expect((await get('/limited')).status).toBe(200);
    expect(await observed.exists('mine:address:127.0.0.1')).toBe(1);
    expect(client.status).toBe('wait');
    await app?.close();
    while ((await connections()) !== before) await new Promise((resolve) => setTimeout(resolve, 5));
    observed.disconnect();
    await server.stop();
  });
});
