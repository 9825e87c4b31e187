import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client, Reply } from './client.js';
import { expectError, expectLimitHeaders } from './contract.js';
import { runService, type RunningService } from './running-service.js';

let running: RunningService;
let client: Client;
let key: string;
/** Of an animal that is new in each test. */
let path: string;
let etag: string;

beforeAll(async () => {
  running = await runService();
  client = await running.client();
  key = await running.issueKey();
});
afterAll(() => running.close());
beforeEach(async () => {
  const { headers } = await client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
  [path, etag] = [String(headers.location), String(headers.etag)];
});

const isThere = async (): Promise<boolean> => (await client.get(path)).status === 200;

/** Sends a DELETE with these lines and this body on a connection of its own; all that is answered. */
const raw = (lines: string[], body: string | Buffer = ''): Promise<string> =>
  client.raw(
    Buffer.concat([
      Buffer.from(
        [`DELETE ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${key}`, ...lines, '', ''].join('\r\n'),
      ),
      Buffer.from(body),
    ]),
  );

describe('DELETE /v1/pets/{petId}', () => {
  it('removes the animal for ever', async () => {
    const reply = await client.delete(path);
    expect(reply).toMatchObject({ status: 204, text: '' });
    expect(reply.headers.vary).toBe('Origin, Authorization');
    for (const field of ['content-type', 'content-length', 'etag'])
      expect(reply.headers).not.toHaveProperty(field);
    expect(reply.headers['cache-control']).toBe('private, no-cache');
    expectLimitHeaders(reply);
    expectError(await client.get(path), 'pet_not_found');
    expectError(await client.patch(path, { name: 'Max' }), 'pet_not_found');
    expect((await client.get('/v1/pets')).text).not.toContain(`"id":${path.split('/').at(-1)},`);
  });

  it('is 404 the second time, and gives the id to nobody', async () => {
    await client.delete(path);
    expectError(await client.delete(path), 'pet_not_found');
    const { headers } = await client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
    expect(headers.location).not.toBe(path);
  });

  it('happens to the state that If-Match names, and to no other', async () => {
    const refused = await client.delete(path, { headers: { 'If-Match': '"other"' } });
    expectError(refused, 'precondition_failed');
    expect(refused.headers.etag).toBe(etag);
    expectError(await client.delete(path, { headers: { 'If-Match': `W/${etag}` } }), 'precondition_failed');
    await client.patch(path, { name: 'Max' });
    expectError(await client.delete(path, { headers: { 'If-Match': etag } }), 'precondition_failed');
    await client.patch(path, { name: 'Rex' });
    expect((await client.delete(path, { headers: { 'If-Match': etag } })).status).toBe(204);
  });

  it('ends a repeated creation in nothing else than its first answer', async () => {
    const add = (): Promise<Reply> =>
      client.post('/v1/pets', { name: 'Once', categoryId: 1 }, { headers: { 'Idempotency-Key': 'once' } });
    const first = await add();
    expect((await client.delete(String(first.headers.location))).status).toBe(204);
    const again = await add();
    expect(again).toMatchObject({
      status: 201,
      text: first.text,
      headers: { 'idempotent-replayed': 'true', location: first.headers.location, etag: first.headers.etag },
    });
    expectError(await client.get(String(first.headers.location)), 'pet_not_found');
  });

  it('happens once, however many ask at the same moment', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => client.delete(path)));
    expect(replies.map(({ status }) => status).sort()).toEqual([204, ...Array<number>(19).fill(404)]);
  });

  it('and changes at the same moment come one after the other', async () => {
    for (let round = 0; round < 50; round++) {
      const { headers } = await client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
      const [target, tag] = [String(headers.location), String(headers.etag)];
      const guard = { headers: { 'If-Match': tag } };
      const [changed, removed] = await Promise.all([
        client.patch(target, { name: 'Max' }, guard),
        client.delete(target, guard),
      ]);
      // Whoever is second finds another state, or nothing.
      const outcome = `${changed.status} ${removed.status}`;
      expect(['200 412', '404 204']).toContain(outcome);
      expect((await client.get(target)).status).toBe(outcome === '200 412' ? 200 : 404);
    }
  });
});

describe('a DELETE with a body', () => {
  it.each([
    ['of JSON', ['Content-Type: application/json', 'Content-Length: 2'], '{}'],
    ['of no type', ['Content-Length: 3'], 'abc'],
    ['in chunks', ['Transfer-Encoding: chunked'], '3\r\nabc\r\n0\r\n\r\n'],
    ['of an unknown encoding', ['Content-Encoding: zstd', 'Content-Length: 3'], 'abc'],
  ])('%s does not look at it', async (_what, lines, body) => {
    expect(await raw([...lines, 'Connection: close'], body)).toMatch(/^HTTP\/1\.1 204 /);
    expect(await isThere()).toBe(false);
  });

  it('that has not arrived is answered, and the connection closed', async () => {
    expect(await raw(['Content-Length: 1000000000'], 'x'.repeat(100))).toMatch(
      /^HTTP\/1\.1 204 [^]*onnection: close/,
    );
  });

  it('that looks like another request is never taken for one', async () => {
    const smuggled = `DELETE /v1/pets/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    const answer = await raw([`Content-Length: ${smuggled.length}`, 'Connection: close'], smuggled);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('that it waits to be asked for is never asked for, or asked for once', async () => {
    const answer = await raw(['Content-Length: 2', 'Expect: 100-continue', 'Connection: close'], '{}');
    expect(answer).toMatch(/^(HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 204 /);
  });
});
