import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anyCharacter } from '@petstore/arbitraries';
import fc from 'fast-check';
import type { Client } from './client.js';
import { expectLimitHeaders } from './contract.js';
import { runService, type RunningService } from './running-service.js';

let running: RunningService;
let client: Client;

beforeAll(async () => {
  running = await runService();
  client = await running.client();
});
afterAll(() => running.close());

describe('POST /v1/pets', () => {
  it('responds 201 with the animal, its id and where it is', async () => {
    const reply = await client.post('/v1/pets', { name: 'Rex', categoryId: 7, status: 'pending' });
    const [, id] = /^\{"id":(\d+),"name":"Rex","categoryId":7,"status":"pending"\}$/.exec(reply.text) ?? [];
    expect(reply.status).toBe(201);
    expect(reply.headers.location).toBe(`/v1/pets/${id ?? ''}`);
    expect(reply.headers['content-type']).toBe('application/json');
    expectLimitHeaders(reply);
    expect((await client.get(reply.headers.location ?? '')).text).toBe(reply.text);
  });

  it('makes an animal available unless it says otherwise', async () => {
    const reply = await client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
    expect(JSON.parse(reply.text)).toMatchObject({ status: 'available' });
  });

  it('never takes an id, nor anything else that was not asked for', async () => {
    const reply = await client.post(
      '/v1/pets',
      '{"id":1,"name":"a","categoryId":1,"createdAt":"x","__proto__":{"status":"sold"}}',
    );
    expect(reply.status).toBe(201);
    expect(JSON.parse(reply.text)).not.toMatchObject({ id: 1 });
    expect(Object.keys(JSON.parse(reply.text) as object)).toEqual(['id', 'name', 'categoryId', 'status']);
    expect(JSON.parse(reply.text)).toMatchObject({ status: 'available' });
  });

  it.each([
    ['9007199254740993', '9007199254740993'],
    ['9223372036854775807', '9223372036854775807'],
    ['1.0', '1'],
    ['1e0', '1'],
    ['12.50e2', '1250'],
    ['9.223372036854775807E+18', '9223372036854775807'],
  ])('keeps the category %s digit for digit as %s', async (sent, kept) => {
    const reply = await client.post('/v1/pets', `{"name":"big","categoryId":${sent}}`);
    expect(reply.status).toBe(201);
    expect(reply.text).toContain(`"categoryId":${kept},`);
    expect((await client.get(reply.headers.location ?? '')).text).toContain(`"categoryId":${kept},`);
    expect((await client.get('/v1/pets?limit=1')).text).toContain(`"categoryId":${kept},`);
  });

  it('keeps every int64 as it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), async (category) => {
        const reply = await client.post('/v1/pets', `{"categoryId":${category},"name":"x"}`);
        expect(reply.text).toContain(`"categoryId":${category},`);
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['one letter', 'R'],
    ['255 code points of two units', '🐶'.repeat(255)],
    ['outer white space', '  Rex '],
    ['every kind of quote and slash', `"\\/'<script>&amp;`],
    ['line separators of JavaScript', 'a\u2028b\u2029c'],
    ['right-to-left and combining marks', 'كلب e\u0301 👩‍🚀'],
    ['what looks like SQL', "'; drop table pet; --"],
  ])('keeps a name of %s exactly as sent', async (_what, name) => {
    const reply = await client.post('/v1/pets', { name, categoryId: 1 });
    expect(reply.status).toBe(201);
    const fetched = await client.get(reply.headers.location ?? '');
    expect(JSON.parse(fetched.text)).toMatchObject({ name });
  });

  it('keeps any name that it takes exactly as sent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 260 }), async (name) => {
        const reply = await client.post('/v1/pets', { name, categoryId: 1 });
        expect([201, 400]).toContain(reply.status);
        if (reply.status === 201) expect(JSON.parse(reply.text)).toMatchObject({ name });
      }),
      { numRuns: 200 },
    );
  });

  it('takes a body of exactly 16 KiB', async () => {
    const frame = '{"name":"a","categoryId":1,"padding":""}';
    const body = frame.replace('""}', `"${'x'.repeat(16 * 1024 - frame.length)}"}`);
    expect(Buffer.byteLength(body)).toBe(16 * 1024);
    expect((await client.post('/v1/pets', body)).status).toBe(201);
  });

  it.each([
    ['utf-8 said', { 'Content-Type': 'application/json; charset=utf-8' }],
    ['UTF-8 quoted', { 'Content-Type': 'Application/JSON ; charset="UTF-8"' }],
    ['another parameter', { 'Content-Type': 'application/json; profile=x' }],
  ])('takes %s', async (_what, headers) => {
    expect((await client.post('/v1/pets', { name: 'a', categoryId: 1 }, { headers })).status).toBe(201);
  });
});
