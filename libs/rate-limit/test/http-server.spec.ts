import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CallHandler, ExecutionContext } from '@nestjs/common';
import { firstValueFrom, from, of } from 'rxjs';
import {
  createRateLimiter,
  Plan,
  type PlanLimits,
  RATE_LIMIT_HEADERS,
  type RateLimiter,
  RateLimitExceededError,
  HttpRateLimiter,
} from '../src/index.js';
import { RateLimitInterceptor } from '../src/nest/index.js';

const START = 1_700_000_000_000;

/** A server that charges every request to the key that its path names, through the interceptor. */
describe('headers over HTTP', () => {
  let server: Server;
  let origin: string;
  let limiter: RateLimiter;
  let limits: PlanLimits;
  let now: number;

  beforeAll(async () => {
    limiter = await createRateLimiter({ clock: () => now });
    const interceptor = new RateLimitInterceptor(new HttpRateLimiter(limiter), ({ url = '' }) =>
      url === '/unmetered' ? undefined : { id: `key:${url}`, limits, bannable: true },
    );
    server = createServer((request, response) => {
      const http = { getRequest: () => request, getResponse: () => response };
      const context = { switchToHttp: () => http } as unknown as ExecutionContext;
      const handler: CallHandler = { handle: () => of('handled') };
      void Promise.resolve(interceptor.intercept(context, handler))
        .then((result) => firstValueFrom(from(result)))
        .then(
          (body) => response.end(body),
          (error: unknown) => {
            const { status, code } = error as RateLimitExceededError;
            response.statusCode = status;
            response.end(code);
          },
        );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await limiter.close();
  });

  beforeEach(() => {
    now = START + 250;
    limits = Plan.limitsOf('free');
  });

  const get = async (path: string) => {
    const response = await fetch(origin + path);
    const headers = Object.fromEntries(RATE_LIMIT_HEADERS.map((name) => [name, response.headers.get(name)]));
    return { status: response.status, body: await response.text(), headers };
  };

  it('tell both windows, and the one that matters first', async () => {
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
  });

  it('tell the day when it has fewer left', async () => {
    limits = { perMinute: 10, perDay: 3 };
    expect((await get('/day')).headers).toMatchObject({
      'X-RateLimit-Limit': '3',
      'X-RateLimit-Remaining': '2',
      'X-RateLimit-Reset': '1700086401',
      RateLimit: '"minute";r=9;t=60, "day";r=2;t=86400',
    });
  });

  it('tell when to come back, in whole seconds, and that is true', async () => {
    limits = { perMinute: 1, perDay: 10 };
    await get('/retry');
    now += 1_500;
    expect(await get('/retry')).toMatchObject({
      status: 429,
      body: 'rate_limit_exceeded',
      headers: {
        'X-RateLimit-Limit': '1',
        'X-RateLimit-Remaining': '0',
        'X-RateLimit-Reset': '1700000061',
        'Retry-After': '59',
        RateLimit: '"minute";r=0;t=59, "day";r=9;t=86399',
      },
    });
    now += 59_000;
    expect((await get('/retry')).status).toBe(200);
  });

  it('never tell to come back in less than a second', async () => {
    limits = { perMinute: 1, perDay: 10 };
    await get('/soon');
    now += 59_999;
    expect((await get('/soon')).headers).toMatchObject({ 'Retry-After': '1' });
  });

  it('tell a ban', async () => {
    limits = { perMinute: 1, perDay: 1_000 };
    await get('/ban');
    for (let i = 0; i < 99; i++) await get('/ban');
    expect(await get('/ban')).toMatchObject({
      status: 429,
      body: 'api_key_temporarily_banned',
      headers: {
        'X-RateLimit-Remaining': '0',
        'X-RateLimit-Reset': '1700000301',
        'Retry-After': '300',
        RateLimit: '"minute";r=0;t=300, "day";r=0;t=300',
      },
    });
  });

  it('are not there on what is not metered', async () => {
    const { status, headers } = await get('/unmetered');
    expect(status).toBe(200);
    expect(Object.values(headers).every((value) => value === null)).toBe(true);
  });

  it('let exactly 60 of 500 requests at once pass', async () => {
    const answers = await Promise.all(Array.from({ length: 500 }, () => get('/crowd')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(440);
  });
});

describe('RateLimitExceededError', () => {
  it('carries its result and code, and no stack', async () => {
    const limiter = await createRateLimiter();
    const subject = { id: 'key:a', limits: { perMinute: 1, perDay: 1 }, bannable: true };
    await limiter.charge(subject);
    const result = await limiter.charge(subject);
    const error = new RateLimitExceededError(result);
    expect(error).toMatchObject({ code: 'rate_limit_exceeded', status: 429, result });
    expect(error.stack).not.toContain('\n');
    expect(new Error('another').stack).toContain('\n');
  });
});
