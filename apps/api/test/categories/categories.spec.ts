import { describe, expect, it } from '@jest/globals';
import type { Reply } from '../support/client.js';
import { expectError, expectLimitHeaders } from '../support/contract.js';
import { allPages } from '../support/listed-pets.js';
import { serve } from '../support/running-service.js';
import { until } from '../support/until.js';

const PATH = '/v1/categories';
const INVENTORY = '/v1/store/inventory';

const { client } = await serve();
let names = 0;

const freshName = (): string => `Kind ${++names}`;
const put = (id: number | string, name: unknown): Promise<Reply> =>
  client.post(`${PATH}/${id}`, { name }, { method: 'PUT' });
const addPet = (categoryId: number | string, status: string): Promise<Reply> =>
  client.post('/v1/pets', `{"name":"a","categoryId":${categoryId},"status":"${status}"}`);

describe('GET /v1/store/inventory', () => {
  const numbers = (available: number, pending: number, sold: number): string =>
    JSON.stringify({ available, pending, sold });
  const of = async (category: number | string): Promise<string> =>
    (await client.get(`${INVENTORY}?categoryId=${category}`)).text;
  /** The numbers are a little behind. */
  const becomes = (expected: string, query = ''): Promise<void> =>
    until(async () => (await client.get(INVENTORY + query)).text === expected);

  it('counts animals as they are added, changed and removed, together and by category', async () => {
    expect(await client.get(INVENTORY)).toMatchObject({ status: 200, text: numbers(0, 0, 0) });
    const first = await addPet(7, 'available');
    const second = await addPet(7, 'pending');
    await addPet(8, 'sold');
    await becomes(numbers(1, 1, 1));
    expect([await of(7), await of(9)]).toEqual([numbers(1, 1, 0), numbers(0, 0, 0)]);
    await client.patch(String(first.headers.location), { status: 'sold', categoryId: 8 });
    await becomes(numbers(0, 1, 2));
    expect([await of(7), await of(8)]).toEqual([numbers(0, 1, 0), numbers(0, 0, 2)]);
    await client.patch(String(first.headers.location), { name: 'b' });
    await client.delete(String(second.headers.location));
    await becomes(numbers(0, 0, 2));
    expect(await of(7)).toBe(numbers(0, 0, 0));
  });

  it('knows the greatest category', async () => {
    await addPet('9223372036854775807', 'pending');
    await becomes(numbers(0, 1, 0), '?categoryId=9223372036854775807');
  });

  it('has counted every event that can be read', async () => {
    const available = async (): Promise<number> => Number(/"available":(\d+)/.exec(await of(1_000))?.[1]);
    for (let n = 0; n < 20; n++) {
      await addPet(1_000, 'available');
      const counted = await available();
      const { text } = await client.get('/v1/events?limit=100');
      const events = text.match(/"categoryId":1000,/g)?.length ?? 0;
      expect(events).toBeGreaterThanOrEqual(counted);
      expect(events).toBeLessThanOrEqual(await available());
    }
  });
});

describe('POST /v1/categories', () => {
  it('makes a category, says where it is, and gives the tag that reading it gives', async () => {
    const reply = await client.post(PATH, { name: 'Dögs "\\ 🐕', id: 99, other: {} });
    const { id } = JSON.parse(reply.text) as { id: number };
    expect(reply).toMatchObject({ status: 201, text: `{"id":${id},"name":"Dögs \\"\\\\ 🐕"}` });
    expect(reply.headers.location).toBe(`${PATH}/${id}`);
    expectLimitHeaders(reply);
    expect(await client.get(`${PATH}/${id}`)).toMatchObject({
      text: reply.text,
      headers: { etag: reply.headers.etag },
    });
    expectError(await client.post(PATH, { name: ' DÖGS "\\  🐕 ' }), 'category_name_taken');
    expectError(
      await client.post(PATH, { name: '\u{FEFF}Dö\u{AD}g\u{200B}s "\\ 🐕\u{FE0F}' }),
      'category_name_taken',
    );
  });

  it('takes the longest name, and one that grows by being compared', async () => {
    // Composed canonically, each of these is three characters of four bytes.
    const grows = Array.from({ length: 255 }, (_, n) => String.fromCodePoint(0x1d160 + ((n * n * 7) % 5)));
    for (const name of ['🐕'.repeat(255), grows.join('')]) {
      const reply = await client.post(PATH, { name });
      expect(reply.status).toBe(201);
      expect(JSON.parse(reply.text)).toMatchObject({ name });
    }
  });
});

describe('PUT /v1/categories/{categoryId}', () => {
  it('names an id that animals have, and changes nothing when sent again', async () => {
    await addPet(1_234, 'sold');
    const name = freshName();
    const made = await put(1_234, name);
    expect(made).toMatchObject({ status: 201, text: `{"id":1234,"name":"${name}"}` });
    expect(made.headers.location).toBe(`${PATH}/1234`);
    const again = await put(1_234, name);
    expect(again).toMatchObject({ status: 200, text: made.text, headers: { etag: made.headers.etag } });
    expect(again.headers).not.toHaveProperty('location');
    const renamed = await put(1_234, `${name}!`);
    expect(renamed.status).toBe(200);
    expect(renamed.headers.etag).not.toBe(made.headers.etag);
    const events = async (): Promise<string> =>
      (await client.get('/v1/events?resource=category&limit=100')).text;
    await until(async () => (await events()).includes(`${name}!`));
    const all = JSON.parse(await events()) as { data: { category: { id: number } } }[];
    expect(all.filter(({ data }) => data.category.id === 1_234)).toMatchObject([
      { type: 'category.created', data: { category: { id: 1_234, name } } },
      { type: 'category.updated', data: { category: { id: 1_234, name: `${name}!` }, previous: { name } } },
    ]);
  });

  it('takes the greatest id', async () => {
    const reply = await put('9223372036854775807', freshName());
    expect([reply.status, reply.text.startsWith('{"id":9223372036854775807,')]).toEqual([201, true]);
  });
});

it('DELETE /v1/categories/{categoryId} removes a category that no animal has', async () => {
  const pet = await addPet(3_000, 'sold');
  await put(3_000, freshName());
  expectError(await client.delete(`${PATH}/3000`), 'category_in_use');
  await client.delete(String(pet.headers.location));
  expect(await client.delete(`${PATH}/3000`)).toMatchObject({ status: 204, text: '' });
  expectError(await client.get(`${PATH}/3000`), 'category_not_found');
});

it('GET /v1/categories lists categories with the greatest id first, page by page', async () => {
  for (let n = 0; n < 5; n++) await client.post(PATH, { name: freshName() });
  // Beyond 2^53 a double is good enough to compare.
  const ids = (await allPages(client, `${PATH}?limit=2`)).map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(7);
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
});
