import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client, Reply } from './client.js';
import { expectError, expectLimitHeaders } from './contract.js';
import { runService, type RunningService } from './running-service.js';
import { until } from './until.js';

const PATH = '/v1/store/inventory';

let running: RunningService;
let client: Client;

beforeAll(async () => {
  running = await runService();
  client = await running.client();
});
afterAll(() => running.close());

const numbers = (available: number, pending: number, sold: number): string =>
  JSON.stringify({ available, pending, sold });
const add = (categoryId: number | string, status: string): Promise<Reply> =>
  client.post('/v1/pets', `{"name":"a","categoryId":${categoryId},"status":"${status}"}`);
/** The numbers are a little behind. */
const becomes = (path: string, expected: string): Promise<void> =>
  until(async () => (await client.get(path)).text === expected);

describe('GET /v1/store/inventory', () => {
  it('counts nothing at first, and says so of every status', async () => {
    const reply = await client.get(PATH);
    expect(reply).toMatchObject({ status: 200, text: numbers(0, 0, 0) });
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'private, no-cache',
      vary: 'Origin, Authorization',
    });
    expectLimitHeaders(reply);
  });

  it('counts animals as they are added, changed and removed, together and by category', async () => {
    const [first, second] = [await add(7, 'available'), await add(7, 'pending'), await add(8, 'sold')];
    await becomes(PATH, numbers(1, 1, 1));
    expect((await client.get(`${PATH}?categoryId=7`)).text).toBe(numbers(1, 1, 0));
    expect((await client.get(`${PATH}?categoryId=9`)).text).toBe(numbers(0, 0, 0));
    await client.patch(String(first.headers.location), { status: 'sold', categoryId: 8 });
    await becomes(PATH, numbers(0, 1, 2));
    expect((await client.get(`${PATH}?categoryId=7`)).text).toBe(numbers(0, 1, 0));
    expect((await client.get(`${PATH}?categoryId=8`)).text).toBe(numbers(0, 0, 2));
    await client.patch(String(first.headers.location), { name: 'b' });
    await client.delete(String(second.headers.location));
    await becomes(PATH, numbers(0, 0, 2));
    expect((await client.get(`${PATH}?categoryId=7`)).text).toBe(numbers(0, 0, 0));
  });

  it('knows the greatest category', async () => {
    await add('9223372036854775807', 'pending');
    await becomes(`${PATH}?categoryId=9223372036854775807`, numbers(0, 1, 0));
  });

  it('has counted every event that can be read', async () => {
    for (let n = 0; n < 30; n++) {
      await add(1_000, 'available');
      const [, counted = ''] =
        /"available":(\d+)/.exec((await client.get(`${PATH}?categoryId=1000`)).text) ?? [];
      const events =
        (await client.get('/v1/events?limit=100')).text.match(/"categoryId":1000,/g)?.length ?? 0;
      const [, later = ''] =
        /"available":(\d+)/.exec((await client.get(`${PATH}?categoryId=1000`)).text) ?? [];
      expect(events).toBeGreaterThanOrEqual(Number(counted));
      expect(events).toBeLessThanOrEqual(Number(later));
    }
  });

  it('answers HEAD without a body, and 304 to who has the numbers', async () => {
    await becomes(`${PATH}?categoryId=1000`, numbers(30, 0, 0));
    const reply = await client.get(PATH);
    const head = await client.send(PATH, { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '', headers: { etag: reply.headers.etag } });
    const again = await client.get(PATH, { headers: { 'If-None-Match': reply.headers.etag } });
    expect(again).toMatchObject({ status: 304, text: '' });
  });

  it.each([
    '',
    '0',
    '-1',
    '+1',
    '01',
    '1.0',
    '1e3',
    'x',
    '9223372036854775808',
    '1&categoryId=2',
    '1,2',
    '%00',
  ])('refuses the category "%s"', async (category) => {
    expectError(await client.get(`${PATH}?categoryId=${category}`), 'invalid_parameter');
  });

  it('ignores what it does not know', async () => {
    expect((await client.get(`${PATH}?status=lost&limit=0`)).status).toBe(200);
  });
});
