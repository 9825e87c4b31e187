import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createRateLimiter,
  Plan,
  type PlanLimits,
  RATE_LIMIT_HEADERS,
  RateLimitExceededError,
} from '../src/index.js';
import { FRAMEWORKS, type LimitedApp } from './frameworks.js';

const START = 1_700_000_000_000;

/** Every request is charged to the key that its path names. */
describe.each(Object.entries(FRAMEWORKS))('requests in %s', (_, start) => {
  let app: LimitedApp;
  let limits: PlanLimits;
  let now: number;

  beforeAll(async () => {
    app = await start({ clock: () => now }, ({ url = '' }) =>
      url === '/unmetered' ? undefined : { id: `key:${url}`, limits, bannable: true },
    );
  });
  afterAll(() => app.close());
  beforeEach(() => {
    now = START + 250;
    limits = Plan.limitsOf('free');
  });

  const get = async (
    path: string,
  ): Promise<{ status: number; body: string; headers: Record<string, string | null> }> => {
    const response = await fetch(app.origin + path, { headers: { connection: 'close' } });
    const headers = Object.fromEntries(RATE_LIMIT_HEADERS.map((name) => [name, response.headers.get(name)]));
    return { status: response.status, body: await response.text(), headers };
  };

  it('are told both windows, and the one that matters first', async () => {
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

  it('are told the day when it has fewer left', async () => {
    limits = { perMinute: 10, perDay: 3 };
    expect((await get('/day')).headers).toMatchObject({
      'X-RateLimit-Limit': '3',
      'X-RateLimit-Remaining': '2',
      'X-RateLimit-Reset': '1700086401',
      RateLimit: '"minute";r=9;t=60, "day";r=2;t=86400',
    });
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
    expect(JSON.stringify(JSON.parse(refused.body))).toContain('"rate_limit_exceeded"');
    now += 59_000;
    expect((await get('/retry')).status).toBe(200);
  });

  it('are never told to come back in less than a second', async () => {
    limits = { perMinute: 1, perDay: 10 };
    await get('/soon');
    now += 59_999;
    expect((await get('/soon')).headers).toMatchObject({ 'Retry-After': '1' });
  });

  it('are told a ban', async () => {
    limits = { perMinute: 1, perDay: 1_000 };
    for (let i = 0; i < 100; i++) await get('/ban');
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

  it('are told nothing where they are not limited', async () => {
    const { status, headers } = await get('/unmetered');
    expect(status).toBe(200);
    expect(Object.values(headers).every((value) => value === null)).toBe(true);
  });

  it('pass 60 at a time, of however many at once', async () => {
    const responses = await Promise.all(Array.from({ length: 200 }, () => get('/crowd')));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(140);
  });
});

it('RateLimitExceededError carries its result and code, and no stack', async () => {
  const limiter = await createRateLimiter();
  const subject = { id: 'key:a', limits: { perMinute: 1, perDay: 1 }, bannable: true };
  await limiter.charge(subject);
  const result = await limiter.charge(subject);
  const error = new RateLimitExceededError(result);
  expect(error).toMatchObject({ code: 'rate_limit_exceeded', status: 429, result });
  expect(error.stack).not.toContain('\n');
  expect(new Error('another').stack).toContain('\n');
  await limiter.close();
});
