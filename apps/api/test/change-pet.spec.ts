import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client, Reply } from './client.js';
import { expectError, expectLimitHeaders } from './contract.js';
import { runService, type RunningService } from './running-service.js';

const BOTH = 'application/merge-patch+json, application/json';

let running: RunningService;
let client: Client;
/** Of an animal that is new in each test. */
let path: string;
let created: Reply;

beforeAll(async () => {
  running = await runService();
  client = await running.client();
});
afterAll(() => running.close());
beforeEach(async () => {
  created = await client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
  path = String(created.headers.location);
});

const ifMatch = (field: string | string[]): { headers: { 'If-Match': string | string[] } } => ({
  headers: { 'If-Match': field },
});
const animal = async (): Promise<unknown> => JSON.parse((await client.get(path)).text);
const message = ({ text }: Reply): unknown => (JSON.parse(text) as { message: unknown }).message;

describe('PATCH /v1/pets/{petId}', () => {
  it('changes what the body has, and answers with the animal and the ETag that GET gives', async () => {
    const reply = await client.patch(path, { name: 'Rex II', status: 'pending' });
    const id = /\d+$/.exec(path)?.[0] ?? '';
    expect(reply.status).toBe(200);
    expect(reply.text).toBe(`{"id":${id},"name":"Rex II","categoryId":7,"status":"pending"}`);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'private, no-cache',
      vary: 'Origin, Authorization',
    });
    expectLimitHeaders(reply);
    const got = await client.get(path);
    expect(got).toMatchObject({ text: reply.text, headers: { etag: reply.headers.etag } });
    expect(reply.headers.etag).not.toBe(created.headers.etag);
  });

  it.each([
    'application/json',
    'application/merge-patch+json',
    'Application/Merge-Patch+JSON; charset=utf-8',
  ])('takes %s', async (type) => {
    const reply = await client.patch(path, { name: 'Max' }, { headers: { 'Content-Type': type } });
    expect(reply.status).toBe(200);
    expect(await animal()).toMatchObject({ name: 'Max' });
  });

  it.each([
    ['nothing', '{}'],
    ['what is so already', '{"name":"Rex","categoryId":7.0,"status":"available"}'],
    ['an id', '{"id":1}'],
    ['unknown members', '{"owner":null,"constructor":{"name":"x"},"toString":1}'],
    ['a prototype', '{"__proto__":{"status":"sold","name":"Evil"}}'],
  ])('is 200 and changes nothing for %s', async (_what, body) => {
    const reply = await client.patch(path, body);
    expect(reply).toMatchObject({ status: 200, text: created.text, headers: { etag: created.headers.etag } });
    expect(await animal()).toEqual(JSON.parse(created.text));
  });

  it('keeps an int64 digit for digit', async () => {
    const reply = await client.patch(path, '{"categoryId":9223372036854775807}');
    expect(reply.text).toContain('"categoryId":9223372036854775807,');
  });

  it('carries no field of the deprecated GET of this path, whatever comes of it', async () => {
    const replies = [
      await client.patch(path, { name: 'Max' }),
      await client.patch(path, { name: null }),
      await client.patch('/v1/pets/0', {}),
      await client.patch(path, {}, { key: 'wrong' }),
      await client.patch(path, {}, ifMatch('"other"')),
      await client.delete(path),
      await client.delete(path),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 400, 404, 401, 412, 204, 404]);
    for (const { headers } of replies) {
      for (const field of ['deprecation', 'sunset']) expect(headers).not.toHaveProperty(field);
      expect(String(headers['link'])).not.toContain('deprecation');
    }
  });
});

describe('the status', () => {
  const statuses = ['available', 'pending', 'sold'] as const;
  it.each(statuses.flatMap((from) => statuses.map((to) => ({ from, to }))))(
    'may change from $from to $to, unless it is from sold to pending',
    async ({ from, to }) => {
      const { headers } = await client.post('/v1/pets', { name: 'a', categoryId: 1, status: from });
      path = String(headers.location);
      const reply = await client.patch(path, { name: 'b', status: to });
      if (from === 'sold' && to === 'pending') {
        expectError(reply, 'invalid_status_transition');
        expect(message(reply)).toContain('from sold it can become available');
        // All of it or nothing.
        expect(await animal()).toMatchObject({ name: 'a', status: 'sold' });
      } else expect(JSON.parse(reply.text)).toMatchObject({ name: 'b', status: to });
    },
  );
});

describe('If-Match', () => {
  it('lets a change happen to the state that it names', async () => {
    const etag = String(created.headers.etag);
    for (const field of [etag, '*', `"other", ${etag}`, ['"other"', etag]]) {
      expect((await client.patch(path, { name: 'Max' }, ifMatch(field))).status).toBe(200);
      expect((await client.patch(path, { name: 'Rex' })).headers.etag).toBe(etag);
    }
  });

  it.each([['"other"'], [`W/TAG`], ['"a", "b"']])('refuses %s, and says what is current', async (field) => {
    const etag = String(created.headers.etag);
    const reply = await client.patch(path, { name: 'Max' }, ifMatch(field.replace('TAG', etag)));
    expectError(reply, 'precondition_failed');
    expect(reply.headers.etag).toBe(etag);
    expect(await animal()).toMatchObject({ name: 'Rex' });
  });

  it.each([['a'], ['"a'], ['"a" "b"'], ['*, "a"'], [''], ['"x",'.repeat(65)], ['"'.repeat(15_000)]])(
    'is refused when it is no list of entity tags',
    async (field) => {
      expectError(await client.patch(path, { name: 'Max' }, ifMatch(field)), 'invalid_parameter');
      expectError(await client.delete(path, ifMatch(field)), 'invalid_parameter');
      expect(await animal()).toMatchObject({ name: 'Rex' });
    },
  );

  it('counts for a change that changes nothing, too', async () => {
    expectError(await client.patch(path, {}, ifMatch('"other"')), 'precondition_failed');
    expect((await client.patch(path, {}, ifMatch(String(created.headers.etag)))).status).toBe(200);
  });

  it('lets exactly one of two through that have read the same state, a thousand times', async () => {
    let etag = created.headers.etag;
    for (let round = 0; round < 1_000; round++) {
      const bodies = [{ name: `a ${round}` }, { name: `b ${round}` }];
      const replies = await Promise.all(
        bodies.map((body) => client.patch(path, body, ifMatch(String(etag)))),
      );
      const [winner, ...more] = replies.filter(({ status }) => status === 200);
      const [loser] = replies.filter(({ status }) => status === 412);
      expect([more, loser?.headers.etag]).toEqual([[], winner?.headers.etag]);
      etag = winner?.headers.etag;
    }
  });
});

describe('a PATCH is refused', () => {
  const large = JSON.stringify({ name: 'a', padding: 'x'.repeat(17_000) });
  const type = (name: string): object => ({ 'Content-Type': name });
  it.each<[code: string, body: unknown, headers: object]>([
    ['unsupported_media_type', {}, type('application/json-patch+json')],
    ['unsupported_media_type', {}, type('text/plain')],
    ['unsupported_media_type', {}, type('')],
    ['payload_too_large', large, {}],
    ['invalid_json', '', {}],
    ['invalid_json', '[]', {}],
    ['invalid_json', 'null', {}],
    ['invalid_json', '{"name":"a","name":"b"}', {}],
    ['validation_failed', { name: '' }, {}],
    ['validation_failed', { categoryId: '1' }, {}],
    ['validation_failed', { status: 'lost' }, {}],
    ['validation_failed', { name: 'Max', status: 'Sold' }, {}],
  ])('as %s: %j %j', async (code, body, headers) => {
    const reply = await client.patch(path, body, { headers: { ...headers } });
    expectError(reply, code);
    if (code === 'unsupported_media_type') expect(reply.headers['accept-patch']).toBe(BOTH);
    expect(await animal()).toEqual(JSON.parse(created.text));
  });

  it.each(['name', 'categoryId', 'status'])('when it would remove the member %s', async (member) => {
    const reply = await client.patch(path, { [member]: null });
    expectError(reply, 'validation_failed');
    expect(message(reply)).toMatch(new RegExp(`^${member} cannot be removed`));
  });
});
