import { expect, it } from '@jest/globals';
import type { Client, Reply } from '../support/client.js';
import { addPet, ORDERS } from '../support/shop.js';
import { AS_IN_PRODUCTION, serve } from '../support/running-service.js';

const CROWD = 500;

const { running, client } = await serve(
  { MAX_CONCURRENT_REQUESTS: String(8 * CROWD) },
  { responseTimeoutMs: AS_IN_PRODUCTION },
);

const statusesOf = (replies: readonly Reply[]): Set<number> => new Set(replies.map(({ status }) => status));

/** Ids of new animals. */
async function addPets(client: Client, count: number): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < count)
    ids.push(...(await Promise.all(Array.from({ length: 50 }, () => addPet(client)))));
  return ids;
}

it('changes of one category at once are all carried out', async () => {
  const rename = (n: number): Promise<Reply> =>
    client.post('/v1/categories/1', { name: `Dogs ${n}` }, { method: 'PUT' });
  await rename(0);
  const replies = await Promise.all(Array.from({ length: 25 }, (_, n) => rename(n)));
  expect(statusesOf(replies)).toEqual(new Set([200]));
});

it.each<[string, (client: Client) => Promise<() => Promise<Reply>>]>([
  [
    'of one key',
    async (client) => {
      const ids = await addPets(client, CROWD);
      return () => client.post(ORDERS, { petId: ids.pop() });
    },
  ],
  [
    'of one animal by two keys',
    async (client) => {
      const [petId, other] = [await addPet(client), await running.client()];
      let n = 0;
      return () => (n++ % 2 === 0 ? client : other).post(ORDERS, { petId });
    },
  ],
])('a change of another key is made beside 500 orders %s', async (_what, crowdOf) => {
  const place = await crowdOf(await running.client());
  const another = await running.client();
  const id = await addPet(another);
  let done = 0;
  const crowd = Array.from({ length: CROWD }, () => place().finally(() => done++));
  const changed = await another.patch(`/v1/pets/${id}`, { name: 'Mia' });
  expect(changed.status).toBe(200);
  expect(done).toBeLessThan(CROWD);
  for (const { status } of await Promise.all(crowd)) expect([201, 409, 503]).toContain(status);
});
