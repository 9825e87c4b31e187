import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client, Reply } from './client.js';
import { expectError, expectLimitHeaders } from './contract.js';
import { linkOf } from './listed-pets.js';
import { runService, type RunningService } from './running-service.js';
import { addPet } from './shop.js';
import { until } from './until.js';

const PATH = '/v1/categories';

let running: RunningService;
let client: Client;
let names = 0;

beforeAll(async () => {
  running = await runService();
  client = await running.client();
});
afterAll(() => running.close());

const freshName = (): string => `Kind ${++names}`;
const put = (id: number | string, name: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
  client.post(`${PATH}/${id}`, { name }, { method: 'PUT', headers });

describe('POST /v1/categories', () => {
  it('makes a category, says where it is, and gives the tag that reading it gives', async () => {
    const reply = await client.post(PATH, { name: 'Dögs "\\ 🐕', id: 99, other: {} });
    const { id } = JSON.parse(reply.text) as { id: number };
    expect(reply).toMatchObject({ status: 201, text: `{"id":${id},"name":"Dögs \\"\\\\ 🐕"}` });
    expect(reply.headers.location).toBe(`${PATH}/${id}`);
    expectLimitHeaders(reply);
    const read = await client.get(reply.headers.location ?? '');
    expect(read).toMatchObject({ status: 200, text: reply.text });
    expect(read.headers.etag).toBe(reply.headers.etag);
    const again = await client.get(`${PATH}/${id}`, {
      headers: { 'If-None-Match': String(read.headers.etag) },
    });
    expect(again).toMatchObject({ status: 304, text: '' });
    expectError(await client.post(PATH, { name: ' DÖGS "\\  🐕 ' }), 'category_name_taken');
  });

  it('is carried out once with an Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'category-1' };
    const name = freshName();
    const first = await client.post(PATH, { name }, { headers });
    const again = await client.post(PATH, { name }, { headers });
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expect(again.headers).toMatchObject({
      'idempotent-replayed': 'true',
      location: first.headers.location,
      etag: first.headers.etag,
    });
    expectError(await client.post(PATH, { name: freshName() }, { headers }), 'idempotency_key_reused');
    expectError(
      await client.post('/v1/pets', { name, categoryId: 1 }, { headers }),
      'idempotency_key_reused',
    );
  });

  it('does not remember a refusal', async () => {
    const name = freshName();
    await put(500, name);
    const headers = { 'Idempotency-Key': 'category-2' };
    expectError(await client.post(PATH, { name }, { headers }), 'category_name_taken');
    expect((await client.send(`${PATH}/500`, { method: 'DELETE' })).status).toBe(204);
    expect((await client.post(PATH, { name }, { headers })).status).toBe(201);
  });

  it.each([
    [{}, 'name must be a string'],
    [{ name: null }, 'name must be a string'],
    [{ name: 7 }, 'name must be a string'],
    [{ name: '' }, 'name must be a string'],
    [{ name: ' \u200B' }, 'name must be a string'],
    [{ name: 'a\u0007' }, 'name must be a string'],
    [{ name: 'x'.repeat(256) }, 'name must be a string'],
  ])('refuses %j', async (body, message) => {
    const reply = await client.post(PATH, body);
    expectError(reply, 'validation_failed');
    expect(reply.text).toContain(message);
  });

  it('takes the longest name, and one that grows by being compared', async () => {
    // Composed canonically, each of these is three characters of four bytes.
    const grows = Array.from({ length: 255 }, (_, n) =>
      String.fromCodePoint(0x1d160 + ((n * n * 7) % 5)),
    ).join('');
    for (const name of ['🐕'.repeat(255), grows]) {
      const reply = await client.post(PATH, { name });
      expect(reply.status).toBe(201);
      expect(JSON.parse(reply.text)).toMatchObject({ name });
    }
  });
});

describe('PUT /v1/categories/{categoryId}', () => {
  it('names an id that animals have, and changes nothing when sent again', async () => {
    await addPet(client, 'sold', 1_234);
    const name = freshName();
    const made = await put(1_234, name);
    expect(made).toMatchObject({ status: 201, text: `{"id":1234,"name":"${name}"}` });
    expect(made.headers.location).toBe(`${PATH}/1234`);
    const again = await put(1_234, name);
    expect(again).toMatchObject({ status: 200, text: made.text });
    expect(again.headers.etag).toBe(made.headers.etag);
    expect(again.headers).not.toHaveProperty('location');
    const renamed = await put(1_234, `${name}!`);
    expect(renamed.status).toBe(200);
    expect(renamed.headers.etag).not.toBe(made.headers.etag);
    await until(async () =>
      (await client.get('/v1/events?resource=category&limit=100')).text.includes(`${name}!`),
    );
    const { text } = await client.get('/v1/events?resource=category&limit=100');
    const told = (JSON.parse(text) as { type: string; data: { category: { id: number } } }[]).filter(
      ({ data }) => data.category.id === 1_234,
    );
    expect(told).toMatchObject([
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
    expectError(await client.send(`${PATH}/${id}`, { method: 'DELETE' }), 'category_not_found');
    // What is wrong with the body comes first.
    expectError(await put(id, ''), 'validation_failed');
  });

  it('takes the greatest id', async () => {
    const reply = await put('9223372036854775807', freshName());
    expect([reply.status, reply.text.startsWith('{"id":9223372036854775807,')]).toEqual([201, true]);
  });
});

describe('DELETE /v1/categories/{categoryId}', () => {
  it('removes a category that no animal has', async () => {
    await addPet(client, 'sold', 3_000);
    const etag = String((await put(3_000, freshName())).headers.etag);
    const remove = (headers = {}): Promise<Reply> =>
      client.send(`${PATH}/3000`, { method: 'DELETE', headers });
    expectError(await remove(), 'category_in_use');
    expectError(await remove({ 'If-Match': '"x"' }), 'precondition_failed');
    const { text } = await client.get('/v1/pets?categoryId=3000');
    await client.send(`/v1/pets/${/"id":(\d+)/.exec(text)?.[1] ?? ''}`, { method: 'DELETE' });
    expect(await remove({ 'If-Match': etag })).toMatchObject({ status: 204, text: '' });
    expectError(await remove(), 'category_not_found');
    expectError(await client.get(`${PATH}/3000`), 'category_not_found');
  });
});

describe('GET /v1/categories', () => {
  it('lists categories with the greatest id first, page by page', async () => {
    const seen: number[] = [];
    for (let next: string | undefined = `${PATH}?limit=2`; next !== undefined;) {
      const page: Reply = await client.get(next);
      expect(page.status).toBe(200);
      // Beyond 2^53 a double is good enough to compare.
      seen.push(...(JSON.parse(page.text) as { id: number }[]).map(({ id }) => id));
      next = linkOf(page, 'next');
    }
    expect(seen.length).toBeGreaterThan(7);
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => b - a));
    expectError(await client.get(`${PATH}?cursor=x`), 'invalid_cursor');
    expectError(await client.get(`${PATH}?limit=101`), 'invalid_parameter');
  });
});
