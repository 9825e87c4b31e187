import { describe, expect, it } from '@jest/globals';
import type { Client, Reply } from '../support/client.js';
import { expectError } from '../support/contract.js';
import { serve } from '../support/running-service.js';

const PATH = '/v1/categories';

// Nobody sequences: what has happened stays in the outbox.
const { running } = await serve({ WORKER: 'off' });
const key = await running.issueKey();
const client = running.connect(key);
/** Of another instance; requests of one instance would wait for each other in it. */
const other = running.connect(key, (await running.another({ WORKER: 'off' })).origin);

const sql = <T>(text: string): Promise<T[]> => running.database.manager.query<T[]>(text);
const add = (name: string, by = client): Promise<Reply> => by.post(PATH, { name });
const put = (id: number, name: string, by = client): Promise<Reply> =>
  by.post(`${PATH}/${id}`, { name }, { method: 'PUT' });
/** Every second request comes to the other instance. */
const clientOf = (n: number): Client => (n % 2 === 0 ? other : client);
const eventsOf = async (name: string): Promise<number> =>
  (await sql(`select from outbox where resource = 'category' and data ilike '%"${name}"%'`)).length;
/** Adds animals of these categories. */
const usePets = (ids: string): Promise<unknown> =>
  sql(`insert into pets (name, category_id, status) select 'Rex', id, 'sold' from ${ids} as ids (id)`);
const count = (replies: readonly Reply[], status: number): number =>
  replies.filter((reply) => reply.status === status).length;

describe('a new category', () => {
  it('has no id of an animal or of another category', async () => {
    await usePets('unnest(array[1, 2, 4])');
    await put(3, 'Cats');
    expect((await add('Dogs')).text).toBe('{"id":5,"name":"Dogs"}');
  });

  it('is refused for now after a hundred ids, and the next attempt goes on behind them', async () => {
    await usePets('generate_series(6, 155)');
    expectError(await add('Birds'), 'service_unavailable');
    expect([(await client.get(`${PATH}?limit=100`)).text.includes('Birds'), await eventsOf('Birds')]).toEqual(
      [false, 0],
    );
    expect((await add('Birds')).text).toBe('{"id":156,"name":"Birds"}');
  });

  it('of one name is added once by many requests at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 3 === 0 ? add('Newts', clientOf(n)) : put(1_000 + n, 'newts', clientOf(n)),
      ),
    );
    expect(count(replies, 201)).toBe(1);
    for (const reply of replies) if (reply.status !== 201) expectError(reply, 'category_name_taken');
    expect(await eventsOf('newts')).toBe(1);
  });
});

describe('a category that is put', () => {
  it('under one id at two instances at once is added once', async () => {
    for (let id = 2_001; id <= 2_010; id++) {
      const requests = Array.from({ length: 8 }, (_, n) => put(id, `Kind ${id}`, clientOf(n)));
      const replies = await Promise.all(requests);
      expect([count(replies, 201), count(replies, 200)]).toEqual([1, 7]);
      expect(await eventsOf(`Kind ${id}`)).toBe(1);
    }
  });

  it('keeps its name when two would exchange theirs, without waiting for each other', async () => {
    await put(3_001, 'Horses');
    await put(3_002, 'Ponies');
    for (let round = 0; round < 10; round++)
      for (const reply of await Promise.all([put(3_001, 'Ponies'), put(3_002, 'Horses', other)]))
        expectError(reply, 'category_name_taken');
    expect(await sql('select deadlocks from pg_stat_database where datname = current_database()')).toEqual([
      { deadlocks: '0' },
    ]);
  });
});

it('a removal at the same time as a new name leaves what was done last', async () => {
  for (let round = 0; round < 10; round++) {
    await put(4_001, 'Hounds');
    const [, renamed] = await Promise.all([client.delete(`${PATH}/4001`), put(4_001, 'Greyhounds', other)]);
    const left = await client.get(`${PATH}/4001`);
    if (renamed.status === 201) expect(left.text).toBe('{"id":4001,"name":"Greyhounds"}');
    else expectError(left, 'category_not_found');
  }
});
