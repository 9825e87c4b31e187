import { expect } from '@jest/globals';
import type { Client } from '../support/client.js';
import { act, ORDERS, place } from '../support/shop.js';
import { until } from '../support/until.js';

/** An adoption from beginning to end, and a category that comes and goes. */
export async function adopt(client: Client): Promise<void> {
  const { id } = await place(client);
  for (const action of ['approve', 'deliver', 'return'])
    expect((await act(client, id, action)).status).toBe(200);
  expect((await client.get(ORDERS)).text).toContain('"status":"returned"');
  const { headers } = await client.post('/v1/categories', { name: 'Dogs' });
  const category = headers.location ?? '';
  expect((await client.post(category, { name: 'Cats' }, { method: 'PUT' })).status).toBe(200);
  expect((await client.send(category, { method: 'DELETE' })).status).toBe(204);
}

/** A webhook from beginning to end, with a delivery that is due. */
export async function haveDelivered(client: Client): Promise<void> {
  const { headers } = await client.post('/v1/webhooks', { url: 'https://127-0-0-1.invalid/' });
  const webhook = headers.location ?? '';
  expect((await client.send(`${webhook}/test`, { method: 'POST' })).status).toBe(202);
  await until(async () => (await client.get(`${webhook}/deliveries?status=failed`)).text !== '[]');
  expect((await client.send(`${webhook}/rotate-secret`, { method: 'POST' })).status).toBe(200);
  expect((await client.post(`${webhook}/recover`, { after: 0 })).status).toBe(202);
  expect((await client.patch(webhook, { types: ['order.*'] })).status).toBe(200);
  expect((await client.delete(webhook)).status).toBe(204);
}
