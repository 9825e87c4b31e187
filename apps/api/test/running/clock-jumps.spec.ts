import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import type { Reply } from '../support/client.js';
import { expectError } from '../support/contract.js';
import { serve } from '../support/running-service.js';

const HOUR = 60 * 60 * 1000;
const systemNow = Date.now;

/** By how much the system's clock has been set forward, in milliseconds. */
let jump = 0;

Date.now = () => systemNow() + jump;
// On Redis its clock counts, not this one.
const { running } = await serve({ REDIS_URL: '' });
const client = running.connect();
afterEach(() => {
  jump = 0;
});
afterAll(() => {
  Date.now = systemNow;
});

const ask = (key: string): Promise<Reply> => client.get('/v1/pets?limit=1', { key });
const remaining = ({ headers }: Reply): number => Number(headers['x-ratelimit-remaining']);

describe.each([-3, -24 * 400, 3, 24 * 400])('a clock that is set by %i hours', (hours) => {
  it('lengthens no refusal, admits nobody early and bans nobody', async () => {
    const key = await running.issueKey({ plan: 'free' });
    const since = systemNow();
    for (let n = 0; n < 60; n++) expect((await ask(key)).status).toBe(200);
    jump = hours * HOUR;
    const before = Date.now();
    const refused = await ask(key);
    expectError(refused, 'rate_limit_exceeded');
    const wait = Number(refused.headers['retry-after']);
    expect(wait).toBeGreaterThanOrEqual(60 - (systemNow() - since) / 1000);
    expect(wait).toBeLessThanOrEqual(60);
    // The time that is told is the one that the clocks show now. Both it and the wait are rounded up to seconds.
    const told = Number(refused.headers['x-ratelimit-reset']) - wait;
    expect(told).toBeGreaterThan(before / 1000 - 1);
    expect(told).toBeLessThan(Date.now() / 1000 + 1);
  });

  it('leaves counters as they are', async () => {
    const key = await running.issueKey({ plan: 'pro' });
    expect(remaining(await ask(key))).toBe(299);
    jump = hours * HOUR;
    expect(remaining(await ask(key))).toBe(298);
    jump = 0;
    expect(remaining(await ask(key))).toBe(297);
  });

  it('decides what has expired, from the next request on and back again', async () => {
    const expiresAt = new Date(systemNow() + HOUR);
    const key = await running.issueKey({ expiresAt });
    expect((await ask(key)).status).toBe(200);
    jump = hours * HOUR;
    expect((await ask(key)).status).toBe(hours > 0 ? 401 : 200);
    jump = 0;
    expect((await ask(key)).status).toBe(200);
  });

  it('repeats a first response as before', async () => {
    const key = await running.issueKey();
    const headers = { 'Idempotency-Key': `jump-${hours}` };
    const add = (): Promise<Reply> =>
      client.post('/v1/pets', { name: 'Rex', categoryId: 1 }, { key, headers });
    const first = await add();
    jump = hours * HOUR;
    const again = await add();
    expect({ status: again.status, text: again.text }).toEqual({ status: 201, text: first.text });
    expect(again.headers['idempotent-replayed']).toBe('true');
  });
});
