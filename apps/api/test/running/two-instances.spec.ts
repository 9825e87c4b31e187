import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IssuedKey, NewKey } from '@petstore/api-key';
import type { Reply } from '../support/client.js';
import { expectError, expectLimitHeaders } from '../support/contract.js';
import { serve } from '../support/running-service.js';
import { until } from '../support/until.js';
import { whileShared } from '../support/while-shared.js';

const { running } = await serve();
/** Without keys of their own: each request says which one it carries. */
const instances = [running.connect(), running.connect(undefined, (await running.another()).origin)] as const;

const issue = (key: Partial<NewKey> = {}): Promise<IssuedKey> =>
  running.administration.create({ name: 'shared', plan: 'free', ...key }, 'tests');

const ask = (at: 0 | 1, key: string, path = '/v1/pets?limit=1'): Promise<Reply> =>
  instances[at].get(path, { key });

/** So many requests at once, half of them to each instance. */
const burst = (key: string, requests: number): Promise<Reply[]> =>
  Promise.all(Array.from({ length: requests }, (_, i) => ask(i % 2 === 0 ? 0 : 1, key)));

const admitted = (replies: readonly Reply[]): number => replies.filter(({ status }) => status === 200).length;

/** A test whose sums are those of both instances together. */
const shared = (name: string, check: () => Promise<void>): void => {
  it(name, () => whileShared(running, check));
};

/** Milliseconds between two requests: too few to ban or to use up a key within the time that an event may take. */
const POLL_MS = 200;

/** Asks until the response is as expected; events arrive soon, but not at once, and within 10 s without them. */
async function eventually(request: () => Promise<Reply>, status: number, code = ''): Promise<Reply> {
  for (const until = Date.now() + 10_000; ;) {
    const reply = await request();
    if ((reply.status === status && reply.text.includes(code)) || Date.now() > until) return reply;
    await sleep(POLL_MS);
  }
}

describe('two instances on one Redis', () => {
  shared('admit exactly the plan between them', async () => {
    const { secret } = await issue();
    const replies = await burst(secret, 500);
    expect(admitted(replies)).toBe(60);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(440);
  });

  shared('admit exactly as many as Remaining says, and the next one not', async () => {
    const { secret } = await issue({ plan: 'pro' });
    await burst(secret, 100);
    const remaining = Number((await ask(1, secret)).headers['x-ratelimit-remaining']);
    expect(remaining).toBe(300 - 101);
    expect(admitted(await burst(secret, remaining))).toBe(remaining);
    expectError(await ask(0, secret), 'rate_limit_exceeded');
  });

  shared('hold a change of plan from the next request on, and forget nothing', async () => {
    const { secret, key } = await issue();
    expect(admitted(await burst(secret, 70))).toBe(60);
    await running.administration.update(key.id, { plan: 'pro' }, 'tests');
    expect((await eventually(() => ask(0, secret), 200)).headers['x-ratelimit-limit']).toBe('300');
    expect((await eventually(() => ask(1, secret), 200)).headers['x-ratelimit-limit']).toBe('300');
    expect(admitted(await burst(secret, 300))).toBeLessThanOrEqual(300 - 62);
    expect(admitted(await burst(secret, 10))).toBe(0);
  });

  it('refuse a revoked key at once', async () => {
    const { secret, key } = await issue();
    expect((await ask(0, secret)).status).toBe(200);
    expect((await ask(1, secret)).status).toBe(200);
    await running.administration.revoke(key.id, 'tests');
    expectError(await eventually(() => ask(0, secret), 401), 'invalid_api_key');
    expectError(await eventually(() => ask(1, secret), 401), 'invalid_api_key');
  });

  shared('take the old and the new secret of a rotated key, with one set of counters', async () => {
    // Enough for all requests until the end of a secret has arrived.
    const { secret, key } = await issue({ plan: 'enterprise', limits: { perMinute: 1_000, perDay: 10_000 } });
    expect(admitted(await burst(secret, 40))).toBe(40);
    const rotated = await running.administration.rotate(key.id, 60_000, 'tests');
    expect((await ask(0, rotated.secret)).headers['x-ratelimit-remaining']).toBe('959');
    expect((await ask(1, secret)).headers['x-ratelimit-remaining']).toBe('958');
    const final = await running.administration.rotate(key.id, 0, 'tests');
    expectError(await eventually(() => ask(0, rotated.secret), 401), 'invalid_api_key');
    expect((await ask(1, final.secret)).status).toBe(200);
  });

  shared('ban a key that goes on after being refused, until an operator lifts the ban', async () => {
    const { secret, key } = await issue();
    await burst(secret, 60 + 100);
    for (const at of [0, 1] as const) {
      const reply = await ask(at, secret);
      expectError(reply, 'api_key_temporarily_banned');
      expectLimitHeaders(reply);
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(290);
    }
    await running.administration.unban(key.id, 'tests');
    // The ban is a 429 as well, and ends when the instance has heard of it.
    const reply = await eventually(() => ask(0, secret), 429, 'rate_limit_exceeded');
    expectError(reply, 'rate_limit_exceeded');
  });

  shared('meter refused credentials by address, without touching the counters of a key', async () => {
    const { secret } = await issue();
    const before = Number((await ask(0, secret)).headers['x-ratelimit-remaining']);
    const wrong = await Promise.all(
      Array.from({ length: 200 }, (_, i) => ask(0, `${secret.slice(0, -1)}${i % 10}`)),
    );
    for (const reply of wrong.filter(({ status }) => status === 401)) {
      expect(reply.headers['x-ratelimit-limit']).toBe('100000');
    }
    expect(Number((await ask(1, secret)).headers['x-ratelimit-remaining'])).toBe(
      before - 1 - admitted(wrong),
    );
  });

  it('serve on when Redis dies under load, unlimited for nobody, and share again when it is back', async () => {
    const { secret } = await issue();
    const steady = (await issue({ plan: 'enterprise', limits: { perMinute: 100_000, perDay: 1_000_000 } }))
      .secret;
    const load = { on: true };
    const seen = new Map<number, number>();
    let rounds = 0;
    const loading = (async () => {
      while (load.on) {
        for (const { status } of await burst(steady, 8)) seen.set(status, (seen.get(status) ?? 0) + 1);
        rounds++;
      }
    })();
    expect(admitted(await burst(secret, 30))).toBe(30);
    await running.redis.kill();
    const inOutage = await burst(secret, 400);
    for (const { status } of inOutage) expect([200, 429]).toContain(status);
    // Each instance goes on with the same rules by itself.
    expect(admitted(inOutage)).toBeLessThanOrEqual(2 * 60);
    expectLimitHeaders(await ask(0, secret));
    const revoked = await issue();
    expect(await running.administration.revoke(revoked.key.id, 'tests')).toMatchObject({ announced: true });
    // What is in flight when it dies does not wait for its return.
    const before = rounds;
    await until(() => rounds > before + 2);
    await running.redis.start();
    // They share again when one limit holds for both; until then each has its own.
    await until(async () => admitted(await burst((await issue()).secret, 200)) === 60);
    load.on = false;
    await loading;
    expect([...seen.keys()]).toEqual([200]);
  });
});
