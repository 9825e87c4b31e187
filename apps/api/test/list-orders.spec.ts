import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client, Reply } from './client.js';
import { expectError } from './contract.js';
import { linkOf } from './listed-pets.js';
import { runService, type RunningService } from './running-service.js';
import { act, ORDERS, place } from './shop.js';

let running: RunningService;
let client: Client;

beforeAll(async () => {
  running = await runService();
  client = await running.client();
});
afterAll(() => running.close());

describe('GET /v1/store/orders', () => {
  it('shows orders newest first, narrowed by state and animal, with links that keep both', async () => {
    const own = await running.client();
    const orders = [];
    for (let n = 0; n < 5; n++) orders.unshift(await place(own));
    const petId = orders[0]?.petId ?? 0;
    for (let n = 0; n < 3; n++) {
      await act(own, orders[0]?.id ?? 0, 'cancel');
      orders.unshift(await place(own, petId));
    }
    const ids = async (query: string): Promise<number[]> => {
      const seen: number[] = [];
      for (let next: string | undefined = `${ORDERS}?${query}`; next !== undefined;) {
        const page: Reply = await own.get(next);
        expect(page.status).toBe(200);
        seen.push(...(JSON.parse(page.text) as { id: number }[]).map(({ id }) => id));
        next = linkOf(page, 'next');
      }
      return seen;
    };
    expect((await ids('limit=3')).slice(0, 8)).toEqual(orders.map(({ id }) => id));
    const ofPet = orders.filter((order) => order.petId === petId).map(({ id }) => id);
    expect(await ids(`limit=2&petId=${petId}`)).toEqual(ofPet);
    expect(await ids(`limit=1&petId=${petId}&status=cancelled`)).toEqual(ofPet.slice(1));
    expect(await ids(`petId=${petId}&status=expired`)).toEqual([]);
    const first = await own.get(`${ORDERS}?limit=1&status=cancelled&petId=${petId}`);
    expect(first.headers['link']).toMatch(
      new RegExp(`^<${ORDERS}\\?limit=1&status=cancelled&petId=${petId}&cursor=[0-9a-z_-]+>; rel="next"$`),
    );
    const cursor = /cursor=([^>]+)/.exec(first.headers['link'] as string)?.[1] ?? '';
    for (const query of [
      `cursor=${cursor}`,
      `status=cancelled&cursor=${cursor}`,
      `petId=${petId}&cursor=${cursor}`,
    ])
      expectError(await own.get(`${ORDERS}?${query}`), 'invalid_cursor');
    const etag = String(first.headers.etag);
    const again = await own.get(`${ORDERS}?limit=1&status=cancelled&petId=${petId}`, {
      headers: { 'If-None-Match': etag },
    });
    expect(again.status).toBe(304);
  });

  it.each(['status=Placed', 'status=', 'status=placed&status=placed', 'petId=0', 'petId=x', 'limit=0'])(
    'refuses ?%s',
    async (query) => {
      expectError(await client.get(`${ORDERS}?${query}`), 'invalid_parameter');
    },
  );

  it.each(['0', 'x', '1.0', '9223372036854775808', '9223372036854775807'])(
    'knows no order %s',
    async (id) => {
      expectError(await client.get(`${ORDERS}/${id}`), 'order_not_found');
      expectError(await act(client, id, 'cancel'), 'order_not_found');
      expectError(await act(client, id, 'approve'), 'order_not_found');
    },
  );
});
