import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anyCharacter } from '@petstore/arbitraries';
import fc from 'fast-check';
import type { Reply } from '../support/client.js';
import { expectError, expectLimitHeaders } from '../support/contract.js';
import { runService } from '../support/running-service.js';

const running = await runService({ GET_PET_DEPRECATED_SINCE: '2026-01-31T12:00:00Z' });
afterAll(() => running.close());
const client = await running.client();

const create = (body: unknown, headers = {}): Promise<Reply> => client.post('/v1/pets', body, { headers });
const read = ({ headers }: Reply): Promise<Reply> => client.get(String(headers.location));

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

  it('keeps every int64 as it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), async (category) => {
        const { text } = await create(`{"categoryId":${category},"name":"x"}`);
        expect(text).toContain(`"categoryId":${category},`);
      }),
      { numRuns: 50 },
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
    const reply = await create({ name, categoryId: 1 });
    expect(reply.status).toBe(201);
    expect(JSON.parse((await read(reply)).text)).toMatchObject({ name });
  });

  it('keeps any name that it takes exactly as sent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 260 }), async (name) => {
        const reply = await create({ name, categoryId: 1 });
        expect([201, 400]).toContain(reply.status);
        if (reply.status === 201) expect(JSON.parse(reply.text)).toMatchObject({ name });
      }),
      { numRuns: 100 },
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

  it.each([
    [{}, /^name .*categoryId/],
    [{ name: ' \u00a0\u200b', categoryId: 1 }, /^name must be a string of 1 to 255 /],
    [{ name: 'a', categoryId: '1' }, /^categoryId must be a whole number from 1 to 9223372036854775807\./],
    [{ name: 'a', categoryId: 1, status: 'Sold' }, /^status must be one of available, pending, sold\./],
    [{ name: '', categoryId: 0, status: 1 }, /^name .*categoryId .*status/],
  ])('%j', async (body, message) => {
    const reply = await create(body);
    expectError(reply, 'validation_failed');
    expect(JSON.parse(reply.text)).toMatchObject({ message: expect.stringMatching(message) });
  });

  it.each([
    ['nothing', ''],
    ['half an object', '{"name":"a"'],
    ['an array', '[{"name":"a","categoryId":1}]'],
    ['a string', '"a"'],
    ['null', 'null'],
    ['a form', 'name=a&categoryId=1'],
    ['a byte order mark', '\uFEFF{"name":"a","categoryId":1}'],
    ['a comment', '{"name":"a","categoryId":1} // pet'],
    ['two objects', '{"name":"a","categoryId":1}{}'],
    ['NaN', '{"name":"a","categoryId":NaN}'],
    ['a leading zero', '{"name":"a","categoryId":01}'],
    ['a name twice', '{"name":"a","name":"b","categoryId":1}'],
    ['a name twice in an unknown member', '{"name":"a","categoryId":1,"x":{"y":1,"y":2}}'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d])],
    ['UTF-16', Buffer.from('{"name":"a","categoryId":1}', 'utf16le')],
    ['nesting without end', '{"name":"a","categoryId":1,"x":' + '['.repeat(8000) + ']'.repeat(8000) + '}'],
  ])('%s as JSON', async (_what, body) => {
    expectError(await create(body), 'invalid_json');
  });

  it('any other value of a member, with an error of the contract', async () => {
    const member = fc.oneof(fc.constant(undefined), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(fc.record({ name: fc.jsonValue(), status: member }), async (members) => {
        expectError(await create({ ...members, categoryId: '1' }), 'validation_failed');
      }),
      { numRuns: 50 },
    );
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

  it.each(
    (
      '9223372036854775807 999999999 0 -1 +1 01 1.5 1.0 1e3 0x1 abc null 9223372036854775808 ' +
      "99999999999999999999999999 %00 %zz % %C3%28 1%00 1%2F2 %201 1,2 %F0%9F%90%B6 1';-- .. 1;v=2"
    ).split(' '),
  )('finds nothing under %s', async (id) => {
    const reply = await client.get(`/v1/pets/${id}`);
    expectError(reply, 'pet_not_found');
    expectLimitHeaders(reply);
    expectDeprecation(reply);
  });

  it('announces its end with every response, and no other operation does', async () => {
    const created = await create({ name: 'Rex', categoryId: 7 });
    const path = String(created.headers.location);
    expectDeprecation(await client.get(path));
    expectDeprecation(await client.send(path, { method: 'HEAD' }));
    const anonymous = running.connect();
    const writer = await running.client({ scopes: ['pets:write'] });
    for (const [reply, code] of [
      [await anonymous.get(path), 'missing_api_key'],
      [await client.get(path, { key: 'wrong' }), 'invalid_api_key'],
      [await writer.get(path), 'insufficient_scope'],
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
