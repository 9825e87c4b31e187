import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Client } from './client.js';
import { expectError, expectLimitHeaders } from './contract.js';
import { runService, type RunningService } from './running-service.js';

let running: RunningService;
let client: Client;

beforeAll(async () => {
  running = await runService();
  client = await running.client();
});
afterAll(() => running.close());

const count = async (): Promise<number> => {
  let total = 0;
  for (let next: string | undefined = '/v1/pets?limit=100'; next !== undefined;) {
    const page = await client.get(next);
    total += (JSON.parse(page.text) as unknown[]).length;
    next = /<([^>]*)>; rel="next"/.exec(String(page.headers['link']))?.[1];
  }
  return total;
};

describe('POST /v1/pets', () => {
  it('answers 201 with the animal, its id and where it is', async () => {
    const reply = await client.post('/v1/pets', { name: 'Rex', categoryId: 7, status: 'pending' });
    const [, id] = /^\{"id":(\d+),"name":"Rex","categoryId":7,"status":"pending"\}$/.exec(reply.text) ?? [];
    expect(reply.status).toBe(201);
    expect(reply.headers.location).toBe(`/v1/pets/${id ?? ''}`);
    expect(reply.headers['content-type']).toBe('application/json');
    expectLimitHeaders(reply);
    expect((await client.get(reply.headers.location ?? '')).text).toBe(reply.text);
  });

  it('makes an animal available when nobody says', async () => {
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
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 260 }), async (name) => {
        const reply = await client.post('/v1/pets', { name, categoryId: 1 });
        expect([201, 400]).toContain(reply.status);
        if (reply.status === 201) expect(JSON.parse(reply.text)).toMatchObject({ name });
      }),
      { numRuns: 200 },
    );
  });

  describe('refuses, and keeps nothing of,', () => {
    let before: number;
    beforeAll(async () => {
      before = await count();
    });
    afterAll(async () => {
      expect(await count()).toBe(before);
    });

    it.each([
      ['nothing in the object', {}, /name .*categoryId/],
      ['no name', { categoryId: 1 }, /^name must be/],
      ['no category', { name: 'a' }, /^categoryId must be/],
      ['an empty name', { name: '', categoryId: 1 }, /^name/],
      ['a blank name', { name: ' \u00a0\u200b', categoryId: 1 }, /^name/],
      ['a name of 256 code points', { name: 'x'.repeat(256), categoryId: 1 }, /^name .* 1 to 255/],
      ['a name with NUL', { name: 'a\0b', categoryId: 1 }, /^name/],
      ['a name with a line break', { name: 'a\nb', categoryId: 1 }, /^name/],
      ['a name that is a number', { name: 1, categoryId: 1 }, /^name/],
      ['a name that is null', { name: null, categoryId: 1 }, /^name/],
      ['a name that is an array', { name: ['a'], categoryId: 1 }, /^name/],
      ['a category that is a string', { name: 'a', categoryId: '1' }, /^categoryId/],
      ['a category that is true', { name: 'a', categoryId: true }, /^categoryId/],
      ['a category that is null', { name: 'a', categoryId: null }, /^categoryId/],
      ['a category that is an object', { name: 'a', categoryId: {} }, /^categoryId/],
      ['a null status', { name: 'a', categoryId: 1, status: null }, /^status must be one of/],
      ['an unknown status', { name: 'a', categoryId: 1, status: 'lost' }, /^status/],
      ['a status in capitals', { name: 'a', categoryId: 1, status: 'Sold' }, /^status/],
      ['a status that is an array', { name: 'a', categoryId: 1, status: ['sold'] }, /^status/],
      ['three mistakes at once', { name: '', categoryId: 0, status: 1 }, /name .*categoryId .*status/],
    ])('%s', async (_what, body, message) => {
      const reply = await client.post('/v1/pets', body);
      expectError(reply, 'validation_failed');
      expect(JSON.parse(reply.text)).toMatchObject({ message: expect.stringMatching(message) });
    });

    it.each(['0', '-1', '1.5', '1e-1', '1e400', '-0', '9223372036854775808', '9.3e18', '1e99999'])(
      'the category %s',
      async (category) => {
        expectError(
          await client.post('/v1/pets', `{"name":"a","categoryId":${category}}`),
          'validation_failed',
        );
      },
    );

    it.each(['\\ud83d', '\\udc36\\ud83d', '\\u0000', '\\u007f', '\\u200b'])('the name "%s"', async (name) => {
      expectError(await client.post('/v1/pets', `{"name":"${name}","categoryId":1}`), 'validation_failed');
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
      ['a name twice', '{"name":"a","name":"a","categoryId":1}'],
      ['a name twice in a member nobody asked for', '{"name":"a","categoryId":1,"x":{"y":1,"y":1}}'],
      ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d])],
      ['UTF-16', Buffer.from('{"name":"a","categoryId":1}', 'utf16le')],
      ['nesting without end', '{"name":"a","categoryId":1,"x":' + '['.repeat(8000) + ']'.repeat(8000) + '}'],
    ])('%s as JSON', async (_what, body) => {
      expectError(await client.post('/v1/pets', body), 'invalid_json');
    });

    it.each([
      ['no type', { 'Content-Type': '' }],
      ['text', { 'Content-Type': 'text/plain' }],
      ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
      ['another charset', { 'Content-Type': 'application/json; charset=iso-8859-1' }],
      ['a relative of JSON', { 'Content-Type': 'application/merge-patch+json' }],
      ['a broken type', { 'Content-Type': 'application/json; charset' }],
      ['an unknown encoding', { 'Content-Encoding': 'zstd' }],
      ['two encodings', { 'Content-Encoding': 'gzip, gzip' }],
    ])('%s as media type', async (_what, headers) => {
      expectError(
        await client.post('/v1/pets', { name: 'a', categoryId: 1 }, { headers }),
        'unsupported_media_type',
      );
    });

    it.each([
      ['with a length', false],
      ['in chunks', true],
    ])('more than 16 KiB %s', async (_how, chunked) => {
      const body = JSON.stringify({ name: 'a', categoryId: 1, padding: 'x'.repeat(17_000) });
      expectError(await client.post('/v1/pets', body, { chunked }), 'payload_too_large');
    });

    it('a compressed bomb', async () => {
      const bomb = gzipSync(Buffer.alloc(20_000_000, ' '));
      expectError(
        await client.post('/v1/pets', bomb.subarray(0, 16_000), { headers: { 'Content-Encoding': 'gzip' } }),
        'payload_too_large',
      );
    });

    it('compression that is none', async () => {
      expectError(
        await client.post('/v1/pets', 'not gzip', { headers: { 'Content-Encoding': 'gzip' } }),
        'bad_request',
      );
    });
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

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('takes %s', async (encoding, compress) => {
    const body = compress(Buffer.from('{"name":"packed","categoryId":1}'));
    const reply = await client.post('/v1/pets', body, { headers: { 'Content-Encoding': encoding } });
    expect(reply).toMatchObject({ status: 201, text: expect.stringContaining('"packed"') });
  });
});
