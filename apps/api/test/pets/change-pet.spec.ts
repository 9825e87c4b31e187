import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Reply } from '../support/client.js';
import { expectError, expectLimitHeaders, messageOf } from '../support/contract.js';
import { serveShared } from '../support/running-service.js';

const { running, client } = await serveShared();
/** Of an animal that is new in each test. */
let path: string;
let etag: string;
let created: Reply;

const onANewAnimal = async (): Promise<void> => {
  created = await client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
  path = String(created.headers.location);
  etag = String(created.headers.etag);
};

interface Condition {
  headers: { 'If-Match': string };
}
const ifMatch = (field: string): Condition => ({ headers: { 'If-Match': field } });
const animal = async (): Promise<unknown> => JSON.parse((await client.get(path)).text);

// What may be sent: requests/values.spec.ts; under which conditions: requests/preconditions.spec.ts.
describe('PATCH /v1/pets/{petId}', () => {
  beforeEach(onANewAnimal);
  it('changes what the body has, and responds with the animal and the ETag that GET gives', async () => {
    const reply = await client.patch(path, { name: 'Rex II', status: 'pending' });
    const id = /\d+$/.exec(path)?.[0] ?? '';
    expect(reply.status).toBe(200);
    expect(reply.text).toBe(`{"id":${id},"name":"Rex II","categoryId":7,"status":"pending"}`);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'private, no-cache',
    });
    expectLimitHeaders(reply);
    const got = await client.get(path);
    expect(got).toMatchObject({ text: reply.text, headers: { etag: reply.headers.etag } });
    expect(reply.headers.etag).not.toBe(etag);
  });

  it.each([
    'application/json',
    'application/merge-patch+json',
    'Application/Merge-Patch+JSON; charset=utf-8',
  ])('takes %s', async (type) => {
    const reply = await client.patch(path, { name: 'Max' }, { headers: { 'Content-Type': type } });
    expect(JSON.parse(reply.text)).toMatchObject({ name: 'Max' });
  });

  it.each([
    ['nothing', '{}'],
    ['what is so already', '{"name":"Rex","categoryId":7.0,"status":"available"}'],
    ['an id', '{"id":1}'],
    ['unknown members', '{"owner":null,"constructor":{"name":"x"},"toString":1}'],
    ['a prototype', '{"__proto__":{"status":"sold","name":"Evil"}}'],
  ])('is 200 and changes nothing for %s', async (_what, body) => {
    const reply = await client.patch(path, body);
    expect(reply).toMatchObject({ status: 200, text: created.text, headers: { etag } });
    expect(await animal()).toEqual(JSON.parse(created.text));
  });

  const statuses = ['available', 'pending', 'sold'] as const;
  it.each(statuses.flatMap((from) => statuses.map((to) => ({ from, to }))))(
    'changes the status from $from to $to, unless it is from sold to pending',
    async ({ from, to }) => {
      const { headers } = await client.post('/v1/pets', { name: 'a', categoryId: 1, status: from });
      path = String(headers.location);
      const reply = await client.patch(path, { name: 'b', status: to });
      if (from === 'sold' && to === 'pending') {
        expectError(reply, 'invalid_status_transition');
        expect(messageOf(reply)).toContain('from sold it can become available');
        // All of it or nothing.
        expect(await animal()).toMatchObject({ name: 'a', status: 'sold' });
      } else expect(JSON.parse(reply.text)).toMatchObject({ name: 'b', status: to });
    },
  );

  it.each(['name', 'categoryId', 'status'])('cannot remove the member %s', async (member) => {
    const reply = await client.patch(path, { [member]: null });
    expectError(reply, 'validation_failed');
    expect(messageOf(reply)).toMatch(new RegExp(`^${member} cannot be removed`));
  });
});

describe('If-Match', () => {
  beforeEach(onANewAnimal);
  it('lets exactly one of two through that have read the same state', async () => {
    for (let round = 0; round < 40; round++) {
      const bodies = [{ name: `a ${round}` }, { name: `b ${round}` }];
      const replies = await Promise.all(bodies.map((body) => client.patch(path, body, ifMatch(etag))));
      const [winner, ...more] = replies.filter(({ status }) => status === 200);
      const [loser] = replies.filter(({ status }) => status === 412);
      expect([more, loser?.headers.etag]).toEqual([[], winner?.headers.etag]);
      etag = String(winner?.headers.etag);
    }
  });

  it('lets either a change or a removal through', async () => {
    for (let round = 0; round < 15; round++) {
      const { headers } = await client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
      const [target, guard] = [String(headers.location), ifMatch(String(headers.etag))];
      const [changed, removed] = await Promise.all([
        client.patch(target, { name: 'Max' }, guard),
        client.delete(target, guard),
      ]);
      // The second one finds another state, or nothing.
      const outcome = `${changed.status} ${removed.status}`;
      expect(['200 412', '404 204']).toContain(outcome);
      expect((await client.get(target)).status).toBe(outcome === '200 412' ? 200 : 404);
    }
  });
});

describe('DELETE /v1/pets/{petId}', () => {
  beforeEach(onANewAnimal);
  it('removes the animal for ever, and gives its id to no other', async () => {
    const reply = await client.delete(path);
    expect(reply).toMatchObject({ status: 204, text: '' });
    for (const field of ['content-type', 'content-length', 'etag'])
      expect(reply.headers).not.toHaveProperty(field);
    expect(reply.headers['cache-control']).toBe('private, no-cache');
    expectLimitHeaders(reply);
    expectError(await client.get(path), 'pet_not_found');
    expectError(await client.patch(path, { name: 'Max' }), 'pet_not_found');
    expectError(await client.delete(path), 'pet_not_found');
    expect((await client.get('/v1/pets')).text).not.toContain(`"id":${path.split('/').at(-1)},`);
    const { headers } = await client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
    expect(headers.location).not.toBe(path);
  });

  it('leaves the response to a repeated creation as it was', async () => {
    const add = (): Promise<Reply> =>
      client.post('/v1/pets', { name: 'Once', categoryId: 1 }, { headers: { 'Idempotency-Key': 'once' } });
    const first = await add();
    path = String(first.headers.location);
    expect((await client.delete(path)).status).toBe(204);
    expect(await add()).toMatchObject({
      status: 201,
      text: first.text,
      headers: { 'idempotent-replayed': 'true', location: path, etag: first.headers.etag },
    });
    expectError(await client.get(path), 'pet_not_found');
  });

  it('happens once, however many requests come at the same moment', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => client.delete(path)));
    expect(replies.map(({ status }) => status).sort()).toEqual([204, ...Array<number>(19).fill(404)]);
  });

  /** Sends a DELETE with these lines and this body on a connection of its own; all that is sent back. */
  const raw = async (lines: readonly string[], body: string): Promise<string> => {
    const authorization = `Authorization: Bearer ${await running.issueKey()}`;
    const head = [`DELETE ${path} HTTP/1.1`, 'Host: x', authorization, ...lines];
    return client.raw([...head, '', body].join('\r\n'));
  };
  const smuggled = 'DELETE /v1/pets/1 HTTP/1.1\r\nHost: x\r\n\r\n';

  it.each([
    ['chunks', ['Transfer-Encoding: chunked'], '3\r\nabc\r\n0\r\n\r\n'],
    ['an unknown encoding', ['Content-Encoding: zstd', 'Content-Length: 3'], 'abc'],
    ['another request', [`Content-Length: ${smuggled.length}`], smuggled],
    ['a body that it announces', ['Content-Length: 2', 'Expect: 100-continue'], '{}'],
  ])('does not look at a body of %s', async (_what, lines, body) => {
    const responses = await raw([...lines, 'Connection: close'], body);
    expect(responses).toMatch(/^(HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 204 /);
    expect(responses.match(/HTTP\/1\.1 [2-5]/g)).toHaveLength(1);
    expectError(await client.get(path), 'pet_not_found');
  });

  it('does not wait for a body, and closes the connection', async () => {
    expect(await raw(['Content-Length: 1000000000'], 'x'.repeat(100))).toMatch(
      /^HTTP\/1\.1 204 [^]*onnection: close/,
    );
  });
});
