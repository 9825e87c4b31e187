import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anyCharacter } from '@petstore/arbitraries';
import fc from 'fast-check';
import type { Reply } from '../support/client.js';
import { expectError, expectLimitHeaders, messageOf } from '../support/contract.js';
import { serve } from '../support/running-service.js';

const { running, client } = await serve({ GET_PET_DEPRECATED_SINCE: '2026-01-31T12:00:00Z' });

const create = (body: unknown): Promise<Reply> => client.post('/v1/pets', body);
const read = ({ headers }: Reply): Promise<Reply> => client.get(String(headers.location));

// What a member may be: requests/values.spec.ts.
describe('POST /v1/pets', () => {
  it('responds 201 with the animal, its id and where it is', async () => {
    const reply = await create({ name: 'Rex', categoryId: 7, status: 'pending' });
    const [, id = ''] =
      /^\{"id":(\d+),"name":"Rex","categoryId":7,"status":"pending"\}$/.exec(reply.text) ?? [];
    expect(reply.status).toBe(201);
    expect(reply.headers.location).toBe(`/v1/pets/${id}`);
    expect(reply.headers['content-type']).toBe('application/json');
    expectLimitHeaders(reply);
    expect((await read(reply)).text).toBe(reply.text);
  });

  it('takes nothing that the client cannot choose, and makes the animal available unless told otherwise', async () => {
    const reply = await create(
      '{"id":1,"name":"a","categoryId":1,"createdAt":"x","__proto__":{"status":"sold"}}',
    );
    expect(reply.text).toMatch(/^\{"id":(?!1,)\d+,"name":"a","categoryId":1,"status":"available"\}$/);
  });

  it.each([
    ['9007199254740993', '9007199254740993'],
    ['9223372036854775807', '9223372036854775807'],
    ['1.0', '1'],
    ['1e0', '1'],
    ['12.50e2', '1250'],
    ['9.223372036854775807E+18', '9223372036854775807'],
  ])('keeps the category %s digit for digit as %s', async (sent, kept) => {
    const reply = await create(`{"name":"big","categoryId":${sent}}`);
    for (const { text } of [reply, await read(reply), await client.get('/v1/pets?limit=1')])
      expect(text).toContain(`"categoryId":${kept},`);
  });

  it('keeps any name that it takes exactly as sent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 260 }), async (name) => {
        const reply = await create({ name, categoryId: 1 });
        expect([201, 400]).toContain(reply.status);
        if (reply.status === 400) return;
        for (const { text } of [reply, await read(reply)]) expect(JSON.parse(text)).toMatchObject({ name });
      }),
      {
        numRuns: 30,
        examples: [
          '  Rex ',
          `"\\/'<script>&amp;`,
          'a\u2028b',
          'كلب e\u0301 👩‍🚀',
          "'; drop table pets; --",
        ].map((name) => [name] as [string]),
      },
    );
  });
});

describe('POST /v1/pets refuses, and keeps nothing of,', () => {
  const newest = async (): Promise<string> => (await client.get('/v1/pets?limit=1')).text;
  let before: string;
  beforeAll(async () => {
    await create({ name: 'the last one', categoryId: 1 });
    before = await newest();
  });
  afterAll(async () => {
    expect(await newest()).toBe(before);
  });

  it('an animal that is none, and names each wrong member', async () => {
    const reply = await create({ name: '', categoryId: 0, status: 1 });
    expectError(reply, 'validation_failed');
    expect(messageOf(reply)).toMatch(
      /^name must be a string of 1 to 255 .*categoryId must be a whole number from 1 to 9223372036854775807.*status must be one of available, pending, sold\./,
    );
  });

  it.each([
    ['nothing', ''],
    ['a name twice in an unknown member', '{"name":"a","categoryId":1,"x":{"y":1,"y":2}}'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d])],
    ['UTF-16', Buffer.from('{"name":"a","categoryId":1}', 'utf16le')],
    ['nesting without end', '{"name":"a","categoryId":1,"x":' + '['.repeat(8000) + ']'.repeat(8000) + '}'],
  ])('%s as JSON', async (_what, body) => {
    expectError(await create(body), 'invalid_json');
  });
});

describe('GET /v1/pets/{petId}', () => {
  function expectDeprecation(reply: Reply): void {
    expect(reply.headers).toMatchObject({
      deprecation: '@1769860800',
      sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
      // Behind the link of an error.
      link: expect.stringMatching(
        /^(?:<[^>]+>; rel="help"; type="text\/html", )?<\/docs\/guide\/deprecation>; rel="deprecation"; type="text\/html", <\/v1\/pets>; rel="successor-version"$/,
      ),
    });
  }

  it('announces its end with every response, and no other operation does', async () => {
    const created = await create({ name: 'Rex', categoryId: 7 });
    const path = String(created.headers.location);
    const conditions = [{}, { 'If-None-Match': '*' }, { 'If-Match': '"other"' }, { 'If-Match': 'x' }];
    for (const method of ['GET', 'HEAD'])
      for (const [at, headers] of conditions.entries()) {
        const reply = await client.send(path, { method, headers });
        expect(reply.status).toBe([200, 304, 412, 400][at]);
        expectDeprecation(reply);
      }
    const writer = await running.client({ scopes: ['pets:write'] });
    for (const [reply, code] of [
      [await running.connect().get(path), 'missing_api_key'],
      [await client.get(path, { key: 'wrong' }), 'invalid_api_key'],
      [await writer.get(path), 'insufficient_scope'],
      [await client.get('/v1/pets/x'), 'pet_not_found'],
    ] as const) {
      expectError(reply, code);
      expectDeprecation(reply);
    }
    const others = [
      await client.get('/v1/pets'),
      await client.patch(path, { name: 'Max' }),
      await client.patch(path, { name: null }),
      await client.patch('/v1/pets/0', {}),
      await client.patch(path, {}, { key: 'wrong' }),
      await client.patch(path, {}, { headers: { 'If-Match': '"other"' } }),
      await client.delete(path),
      await client.delete(path),
    ];
    expect(others.map(({ status }) => status)).toEqual([200, 200, 400, 404, 401, 412, 204, 404]);
    for (const { headers } of others) {
      for (const field of ['deprecation', 'sunset']) expect(headers).not.toHaveProperty(field);
      expect(String(headers['link'])).not.toContain('deprecation');
    }
  });
});
