import { afterAll, describe, expect, it } from '@jest/globals';
import type { Reply } from '../support/client.js';
import { expectError, expectLimitHeaders } from '../support/contract.js';
import { allPages } from '../support/listed-pets.js';
import { runService } from '../support/running-service.js';
import { until } from '../support/until.js';

const PATH = '/v1/categories';
const INVENTORY = '/v1/store/inventory';

const running = await runService();
afterAll(() => running.close());
const client = await running.client();
let names = 0;

const freshName = (): string => `Kind ${++names}`;
const put = (id: number | string, name: unknown, headers = {}): Promise<Reply> =>
  client.post(`${PATH}/${id}`, { name }, { method: 'PUT', headers });
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

  it.each(['', ...'0 -1 +1 01 1.0 1e3 x 9223372036854775808 1&categoryId=2 1,2 %00'.split(' ')])(
    'refuses the category "%s"',
    async (category) => {
      expectError(await client.get(`${INVENTORY}?categoryId=${category}`), 'invalid_parameter');
    },
  );
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

  it('is carried out once with an Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'category-1' };
    const name = freshName();
    const first = await client.post(PATH, { name }, { headers });
    const again = await client.post(PATH, { name }, { headers });
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    const { location, etag } = first.headers;
    expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true', location, etag });
    expectError(await client.post(PATH, { name: freshName() }, { headers }), 'idempotency_key_reused');
    const pet = { name, categoryId: 1 };
    expectError(await client.post('/v1/pets', pet, { headers }), 'idempotency_key_reused');
  });

  it('does not remember a refusal', async () => {
    const name = freshName();
    await put(500, name);
    const headers = { 'Idempotency-Key': 'category-2' };
    expectError(await client.post(PATH, { name }, { headers }), 'category_name_taken');
    expect((await client.delete(`${PATH}/500`)).status).toBe(204);
    expect((await client.post(PATH, { name }, { headers })).status).toBe(201);
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

  it('goes by the state that the client knows', async () => {
    const etag = String((await put(2_000, freshName())).headers.etag);
    const current = await put(2_000, freshName(), { 'If-Match': `"x", ${etag}` });
    expect(current.status).toBe(200);
    const late = await put(2_000, freshName(), { 'If-Match': etag });
    expectError(late, 'precondition_failed');
    expect(late.headers.etag).toBe(current.headers.etag);
    expect((await put(2_000, freshName(), { 'If-Match': '*' })).status).toBe(200);
    expectError(await put(2_000, freshName(), { 'If-None-Match': '*' }), 'precondition_failed');
    expectError(await put(2_000, freshName(), { 'If-Match': 'x' }), 'invalid_parameter');
    expectError(await put(2_000, freshName(), { 'If-None-Match': 'x' }), 'invalid_parameter');
  });

  it('makes nothing where the client knows something, and nothing new where there is something', async () => {
    const nothing = await put(2_001, freshName(), { 'If-Match': '*' });
    expectError(nothing, 'precondition_failed');
    expect(nothing.headers).not.toHaveProperty('etag');
    expectError(await put(2_001, freshName(), { 'If-Match': '"x"' }), 'precondition_failed');
    const name = freshName();
    expect((await put(2_001, name, { 'If-None-Match': '*' })).status).toBe(201);
    // 412 comes before 409.
    expectError(await put(2_002, name, { 'If-Match': '*' }), 'precondition_failed');
    expectError(await put(2_002, name), 'category_name_taken');
  });

  it.each(['0', '-1', '1.0', '01', 'x', '9223372036854775808', '%31%20'])('knows no id %s', async (id) => {
    expectError(await put(id, freshName()), 'category_not_found');
    expectError(await client.get(`${PATH}/${id}`), 'category_not_found');
    expectError(await client.delete(`${PATH}/${id}`), 'category_not_found');
    // What is wrong with the body comes first.
    expectError(await put(id, ''), 'validation_failed');
  });

  it('takes the greatest id', async () => {
    const reply = await put('9223372036854775807', freshName());
    expect([reply.status, reply.text.startsWith('{"id":9223372036854775807,')]).toEqual([201, true]);
  });
});

it('DELETE /v1/categories/{categoryId} removes a category that no animal has', async () => {
  const pet = await addPet(3_000, 'sold');
  const etag = String((await put(3_000, freshName())).headers.etag);
  const remove = (headers = {}): Promise<Reply> => client.delete(`${PATH}/3000`, { headers });
  expectError(await remove(), 'category_in_use');
  expectError(await remove({ 'If-Match': '"x"' }), 'precondition_failed');
  await client.delete(String(pet.headers.location));
  expect(await remove({ 'If-Match': etag })).toMatchObject({ status: 204, text: '' });
  expectError(await remove(), 'category_not_found');
  expectError(await client.get(`${PATH}/3000`), 'category_not_found');
});

it('GET /v1/categories lists categories with the greatest id first, page by page', async () => {
  // Beyond 2^53 a double is good enough to compare.
  const ids = (await allPages(client, `${PATH}?limit=2`)).map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(7);
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
  expectError(await client.get(`${PATH}?cursor=x`), 'invalid_cursor');
  expectError(await client.get(`${PATH}?limit=101`), 'invalid_parameter');
});
