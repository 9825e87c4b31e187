import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type CanActivate,
  Controller,
  type DynamicModule,
  type ExecutionContext,
  Get,
  Injectable,
  Module,
  UnauthorizedException,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { startRedis } from '@petstore/test-servers';
import { waitFor } from '@petstore/testing';
import { Redis } from 'ioredis';
import { DEFAULT_BAN_POLICY, type RateLimits } from '../src/index.js';
import {
  RateLimitInterceptor,
  RateLimitModule,
  RequestRateLimiter,
  SkipRateLimit,
} from '../src/nest/index.js';
import { FRAMEWORKS, type LimitedApp, listenNest } from './frameworks.js';
import { free } from './requests.js';

const START = 1_700_000_000_000;

const HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
  'Retry-After',
];

/** Every request consumes from the key that its path names. */
describe.each(Object.entries(FRAMEWORKS))('requests in %s', (_, start) => {
  let app: LimitedApp;
  let limits: RateLimits;
  let now: number;

  beforeAll(async () => {
    const bans = { ...DEFAULT_BAN_POLICY, refusals: 3 };
    app = await start({ clock: () => now, bans }, ({ url = '' }) =>
      url === '/unmetered' ? undefined : { id: `key:${url}`, limits, bannable: true },
    );
  });
  afterAll(() => app.close());
  beforeEach(() => {
    now = START + 250;
    limits = free;
  });

  const get = async (path: string) => {
    const response = await fetch(app.origin + path, { headers: { connection: 'close' } });
    const headers = Object.fromEntries(HEADERS.map((name) => [name, response.headers.get(name)]));
    return { status: response.status, body: await response.text(), headers };
  };

  it('are told both windows, and the one that matters first, and nothing where they are not limited', async () => {
    expect(await get('/first')).toEqual({
      status: 200,
      body: 'handled',
      headers: {
        'X-RateLimit-Limit': '60',
        'X-RateLimit-Remaining': '59',
        // 60.25 s after the start, rounded up.
        'X-RateLimit-Reset': '1700000061',
        'RateLimit-Policy': '"minute";q=60;w=60, "day";q=1000;w=86400',
        RateLimit: '"minute";r=59;t=60, "day";r=999;t=86400',
        'Retry-After': null,
      },
    });
    limits = { perMinute: 10, perDay: 3 };
    expect((await get('/day')).headers).toMatchObject({
      'X-RateLimit-Limit': '3',
      'X-RateLimit-Remaining': '2',
      'X-RateLimit-Reset': '1700086401',
      RateLimit: '"minute";r=9;t=60, "day";r=2;t=86400',
    });
    const unmetered = await get('/unmetered');
    expect(unmetered.status).toBe(200);
    expect(new Set(Object.values(unmetered.headers))).toEqual(new Set([null]));
  });

  it('are told when to come back, in whole seconds, and that is true', async () => {
    limits = { perMinute: 1, perDay: 10 };
    await get('/retry');
    now += 1_500;
    const refused = await get('/retry');
    expect(refused).toMatchObject({
      status: 429,
      headers: {
        'X-RateLimit-Limit': '1',
        'X-RateLimit-Remaining': '0',
        'X-RateLimit-Reset': '1700000061',
        'Retry-After': '59',
        RateLimit: '"minute";r=0;t=59, "day";r=9;t=86399',
      },
    });
    expect(JSON.parse(refused.body)).toEqual({
      code: 'rate_limit_exceeded',
      message: 'Too many requests. Try again after the time in Retry-After.',
      status: 429,
    });
    // Never in less than a second.
    now += 58_499;
    expect((await get('/retry')).headers).toMatchObject({ 'Retry-After': '1' });
    now += 501;
    expect((await get('/retry')).status).toBe(200);
  });

  it('are told a ban', async () => {
    limits = { perMinute: 1, perDay: 1_000 };
    for (let i = 0; i < 3; i++) await get('/ban');
    const banned = await get('/ban');
    expect(banned).toMatchObject({
      status: 429,
      headers: {
        'X-RateLimit-Remaining': '0',
        'X-RateLimit-Reset': '1700000301',
        'Retry-After': '300',
        RateLimit: '"minute";r=0;t=300, "day";r=0;t=300',
      },
    });
    expect(banned.body).toContain('"api_key_temporarily_banned"');
  });
});

describe('RateLimitModule', () => {
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
  let running: Awaited<ReturnType<typeof listenNest>> | undefined;
  const origin = (): string => running?.origin ?? '';
  const start = async (root: Omit<DynamicModule, 'module'>): Promise<void> => {
    running = await listenNest({ module: Root, ...root });
  };
  const get = (path: string, forwarded?: string): Promise<Response> =>
    fetch(origin() + path, {
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    });
  afterEach(async () => running?.close());

  it('limits the controllers that use its interceptor, by address', async () => {
    const limits = RateLimitModule.forRoot({ addressLimits, clock: () => START });
    await start({ imports: [limits], controllers: [Open, Limited] });
    expect((await get('/limited')).headers.get('x-ratelimit-remaining')).toBe('1');
    await get('/limited');
    const refused = await get('/limited');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await refused.json()).toMatchObject({ code: 'rate_limit_exceeded', status: 429 });
    expect((await get('/open')).headers.get('x-ratelimit-limit')).toBeNull();
  });

  it('limits everything as APP_INTERCEPTOR, with options that are injected', async () => {
    const options = { addressLimits };
    const provided = [{ provide: 'options', useValue: options }];
    await start({
      imports: [
        RateLimitModule.forRootAsync({
          imports: [{ module: Options, providers: provided, exports: ['options'] }],
          inject: ['options'],
          useFactory: (injected: typeof options) => injected,
        }),
      ],
      controllers: [Open],
      providers: [{ provide: APP_INTERCEPTOR, useExisting: RateLimitInterceptor }],
    });
    // Express says whose address it is.
    (running?.app as NestExpressApplication).set('trust proxy', 'loopback');
    for (const client of ['192.0.2.1', '192.0.2.2']) {
      const responses = await Promise.all([1, 2, 3].map(() => get('/open', client)));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 429]);
    }
  });

  it('limits by route, skips what is marked, and serves a guard that limits what it refuses', async () => {
    @Injectable()
    class RefusingGuard implements CanActivate {
      constructor(private readonly limiter: RequestRateLimiter) {}

      async canActivate(context: ExecutionContext): Promise<boolean> {
        const [request, response] = context.getArgs<[IncomingMessage, ServerResponse]>();
        await this.limiter.consume(request, response);
        throw new UnauthorizedException();
      }
    }

    @Controller()
    class Routes {
      @Get('free')
      @SkipRateLimit()
      get(): string {
        return 'free';
      }

      @Get('tight')
      tight(): string {
        return 'tight';
      }

      @Get('guarded')
      @UseGuards(RefusingGuard)
      guarded(): string {
        return 'guarded';
      }
    }

    const subjectOf = (_request: IncomingMessage, context?: ExecutionContext) => ({
      id: context?.getHandler().name ?? 'refused',
      limits: { perMinute: 1, perDay: 10 },
    });
    await start({
      imports: [RateLimitModule.forRoot({ subjectOf })],
      controllers: [Routes],
      providers: [{ provide: APP_INTERCEPTOR, useExisting: RateLimitInterceptor }],
    });
    const statuses = async (path: string): Promise<number[]> =>
      [await get(path), await get(path)].map(({ status }) => status);
    expect(await statuses('/free')).toEqual([200, 200]);
    expect(await statuses('/tight')).toEqual([200, 429]);
    expect(await statuses('/guarded')).toEqual([401, 429]);
    expect(await (await get('/guarded')).json()).toMatchObject({ code: 'rate_limit_exceeded', status: 429 });
  });

  it.each([[0], [1.5]])('does not start with %d as a limit', (perMinute) => {
    const limits = { perMinute, perDay: 10 };
    return expect(
      Test.createTestingModule({ imports: [RateLimitModule.forRoot({ addressLimits: limits })] }).compile(),
    ).rejects.toThrow(`perMinute: ${perMinute} is no whole number`);
  });

  it('says at the start that it needs Nest on Express', async () => {
    const module = await Test.createTestingModule({ imports: [RateLimitModule.forRoot({})] }).compile();
    const adapter = new ExpressAdapter();
    adapter.getType = () => 'fastify';
    await expect(module.createNestApplication(adapter).init()).rejects.toThrow('register fastifyRateLimit');
    await module.close();
  });

  it('connects when the application starts, leaves the client alone, and disconnects at the end', async () => {
    const server = await startRedis();
    const observed = new Redis(server.url);
    const connections = async (): Promise<number> =>
      String(await observed.client('LIST'))
        .trim()
        .split('\n').length;
    const client = new Redis(server.url, { lazyConnect: true });
    const key = { id: 'key:1', limits: free };
    const before = await connections();
    await start({
      imports: [RateLimitModule.forRoot({ subjectOf: () => key, redis: client, keyPrefix: 'mine:' })],
      controllers: [Limited],
    });
    // A Redis that is late is connected to later.
    await waitFor(async () => (await connections()) === before + 1);
    expect((await get('/limited')).status).toBe(200);
    await waitFor(async () => (await observed.exists('mine:{key:1}')) === 1);
    expect(client.status).toBe('wait');
    await running?.app.close();
    await waitFor(async () => (await connections()) === before);
    observed.disconnect();
    await server.stop();
  });
});
