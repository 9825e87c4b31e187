import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from './client.js';
import { expectError } from './contract.js';
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

describe('POST /v1/pets refuses, and keeps nothing of,', () => {
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
    ['a name twice in an unknown member', '{"name":"a","categoryId":1,"x":{"y":1,"y":1}}'],
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
    ['an encoding', { 'Content-Encoding': 'gzip' }],
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
});
