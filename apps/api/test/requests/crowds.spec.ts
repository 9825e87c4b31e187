import { expect, it } from '@jest/globals';
import type { Client, Reply } from '../support/client.js';
import { addPet, ORDERS } from '../support/shop.js';
import { serve } from '../support/running-service.js';

const CROWD = 200;

const { running, client } = await serve({ MAX_CONCURRENT_REQUESTS: String(8 * CROWD) });

const statusesOf = (replies: readonly Reply[]): Set<number> => new Set(replies.map(({ status }) => status));

/** Ids of new animals: no request is about how they came. */
async function addPets(count: number): Promise<number[]> {
  const rows = await running.database.manager.query<{ id: string }[]>(
    `insert into pets (name, category_id, status)
     select 'Rex', 7, 'available' from generate_series(1, $1::int) returning id`,
    [count],
  );
  return rows.map(({ id }) => Number(id));
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
      const ids = await addPets(CROWD);
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
])('a change of another key is made beside 200 orders %s', async (_what, crowdOf) => {
  const place = await crowdOf(await running.client());
  const another = await running.client();
  const id = await addPet(another);
  let done = 0;
  const crowd = Array.from({ length: CROWD }, () => place().finally(() => done++));
  const changed = await another.patch(`/v1/pets/${id}`, { name: 'Mia' });
  expect(changed.status).toBe(200);
  // By the order of events alone: a busy machine takes long for all of them.
  expect(done).toBeLessThan(CROWD);
  for (const { status } of await Promise.all(crowd)) expect([201, 409, 503]).toContain(status);
});
