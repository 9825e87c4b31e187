import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Reply } from '../support/client.js';
import { CASES, errorFor, fieldsOf, KINDS, label, type Condition } from './conditions.js';
import { expectError, expectLimitHeaders, messageOf } from '../support/contract.js';
import { errorOf } from '../support/declared-operations.js';
import { serveShared } from '../support/running-service.js';
import { act, addPet, ORDERS, place } from '../support/shop.js';
import { until } from '../support/until.js';

const tagOf = ({ headers }: Reply): string => String(headers.etag);

const { running, client } = await serveShared();

/** Path of one that is there. */
let aWebhook: string;

beforeAll(async () => {
  await place(client);
  await addPet(client);
  await put(7, 'Dogs');
  aWebhook = await webhook();
  await until(async () => (await client.get('/v1/events?limit=100')).text.includes('category.created'));
});

const put = (id: number, name: string, headers: Record<string, string | string[]> = {}): Promise<Reply> =>
  client.post(`/v1/categories/${id}`, { name }, { method: 'PUT', headers });

// How a field may be written is the same everywhere: all of CASES are sent to a read and to a write, KINDS to the others.

/** Requests at a time: more would wait for a connection to the database, too long on a busy machine. */
const AT_ONCE = 8;

describe('a read', () => {
  /** Each case with its response; what is counted may have changed meanwhile, and then all is read again. */
  const readAll = async (
    path: string,
    method: string,
    cases: readonly Condition[],
  ): Promise<[string, [Condition, Reply][]]> => {
    for (;;) {
      const tag = tagOf(await client.get(path));
      const send = async (one: Condition): Promise<[Condition, Reply]> => [
        one,
        await client.send(path, { method, headers: fieldsOf(one, tag) }),
      ];
      const replies: [Condition, Reply][] = [];
      for (let done = 0; done < cases.length; done += AT_ONCE)
        replies.push(...(await Promise.all(cases.slice(done, done + AT_ONCE).map(send))));
      if (tagOf(await client.get(path)) === tag) return [tag, replies];
    }
  };

  it.each([
    ...[
      '/v1/pets',
      '/v1/pets?limit=1&status=available',
      '/v1/pets?ids=1,2',
      '/v1/pets/1',
      '/v1/pets/1/profile',
    ],
    ...['/v1/categories', '/v1/categories/7', ORDERS, `${ORDERS}/1`, '/v1/store/inventory', '/v1/usage'],
    ...['/v1/events', '/v1/events?after=latest', '/v1/events?after=1&limit=1&resource=pet'],
    ...['/v1/webhooks', 'A_WEBHOOK', 'A_WEBHOOK/deliveries'],
  ])('is judged by what it finds: %s', async (given) => {
    const path = given.replace('A_WEBHOOK', aWebhook);
    for (const [method, cases] of [
      ['GET', path === '/v1/pets/1' ? CASES : KINDS],
      ['HEAD', KINDS],
    ] as const) {
      const [tag, replies] = await readAll(path, method, cases);
      for (const [one, reply] of replies) {
        const code = errorFor(one, true);
        const isKnown = one.field === 'If-None-Match' && ['strongly', 'weakly'].includes(one.names);
        const status = code === undefined ? (isKnown ? 304 : 200) : errorOf(code).status;
        expect([label(one), method, reply.status]).toEqual([label(one), method, status]);
        expect(reply.headers.etag).toBe(status === 400 ? undefined : tag);
        expectLimitHeaders(reply);
        if (method === 'HEAD' || status === 304) expect(reply.text).toBe('');
        else if (code !== undefined) {
          expectError(reply, code);
          expect(reply.headers['cache-control']).toBe('no-store');
        }
      }
    }
  });

  it('is judged by If-Match first', async () => {
    const tag = tagOf(await client.get('/v1/pets/1'));
    const statusFor = async (ifMatch: string, ifNoneMatch: string): Promise<number> => {
      const headers = { 'If-Match': ifMatch, 'If-None-Match': ifNoneMatch };
      return (await client.get('/v1/pets/1', { headers })).status;
    };
    expect(await statusFor('"other"', tag)).toBe(412);
    expect(await statusFor('"other"', '"other"')).toBe(412);
    expect(await statusFor(tag, tag)).toBe(304);
    expect(await statusFor('*', '"other"')).toBe(200);
  });

  it('of a page that is not sent links to no other page', async () => {
    const { headers } = await client.get('/v1/pets?limit=1', { headers: { 'If-Match': '"other"' } });
    expect(headers['link']).toMatch(/^<[^>]+#precondition_failed>; rel="help"; type="text\/html"$/);
  });

  it('that is wrong for another reason is refused for that', async () => {
    const headers = { 'If-Match': '"other"', 'If-None-Match': '*' };
    expectError(await client.get('/v1/pets?limit=0', { headers }), 'invalid_parameter');
    expectError(await client.get('/v1/pets?cursor=x', { headers }), 'invalid_cursor');
    expectError(await client.get('/v1/events?after=999999', { headers }), 'position_gone');
    expectError(await client.get('/v1/unknown', { headers }), 'route_not_found');
    expectError(await client.get('/v1/pets', { headers, key: 'wrong' }), 'invalid_api_key');
    const writer = await running.client({ scopes: ['pets:write'] });
    expectError(await writer.get('/v1/pets', { headers }), 'insufficient_scope');
    expect((await client.send('/v1/pets', { method: 'OPTIONS', headers })).status).toBe(204);
  });
});

let made = 0;

const pet = async (): Promise<string> => `/v1/pets/${await addPet(client)}`;
const profile = async (): Promise<string> => `${await pet()}/profile`;
const category = async (): Promise<string> => {
  const id = 1_000 + made++;
  await put(id, `Category ${id}`);
  return `/v1/categories/${id}`;
};
/** Of events that never come: an attempt that failed would change it. */
const webhook = async (): Promise<string> => {
  const body = { url: `https://shop-${made++}.example/`, types: ['order.returned'] };
  return String((await client.post('/v1/webhooks', body)).headers.location);
};
const remove = (path: string, headers = {}): Promise<Reply> => client.delete(path, { headers });
const replace = (path: string, body: object, headers: object): Promise<Reply> =>
  client.post(path, body, { method: 'PUT', headers: { ...headers } });
const patch =
  (body: object) =>
  (path: string, headers = {}): Promise<Reply> =>
    client.patch(path, body, { headers });

/** How each write is sent, and to what. */
const WRITES: readonly (readonly [
  what: string,
  make: () => Promise<string>,
  write: (path: string, headers?: object) => Promise<Reply>,
])[] = [
  ['a change of an animal', pet, patch({ name: 'Max' })],
  ['a change of an animal that changes nothing', pet, patch({})],
  ['a removal of an animal', pet, remove],
  ['another profile', profile, (path, headers = {}) => replace(path, { sex: 'male' }, headers)],
  ['the same profile', profile, (path, headers = {}) => replace(path, {}, headers)],
  [
    'another name of a category',
    category,
    (path, headers = {}) => replace(path, { name: `New ${made++}` }, headers),
  ],
  [
    'the same name of a category',
    category,
    (path, headers = {}) => replace(path, { name: `Category ${path.split('/').at(-1)}` }, headers),
  ],
  ['a removal of a category', category, remove],
  ['a change of a webhook', webhook, patch({ description: 'Shop' })],
  ['a change of a webhook that changes nothing', webhook, patch({})],
  ['a removal of a webhook', webhook, remove],
];

describe('a write', () => {
  it.each(WRITES)('is judged by what it finds: %s', async (what, make, write) => {
    const path = await make();
    const before = await client.get(path);
    for (const one of what === 'a change of an animal' ? CASES : KINDS) {
      const code = errorFor(one, false);
      if (code === undefined) {
        const other = await make();
        const { status } = await write(other, fieldsOf(one, tagOf(await client.get(other))));
        expect([label(one), status < 300]).toEqual([label(one), true]);
        await client.delete(other);
        continue;
      }
      const reply = await write(path, fieldsOf(one, tagOf(before)));
      expect([label(one), reply.status]).toEqual([label(one), errorOf(code).status]);
      expectError(reply, code);
      expectLimitHeaders(reply);
      expect(reply.headers.etag).toBe(code === 'precondition_failed' ? before.headers.etag : undefined);
      for (const name of ['deprecation', 'sunset']) expect(reply.headers).not.toHaveProperty(name);
    }
    expect((await client.get(path)).text).toBe(before.text);
    await client.delete(path);
  });

  it.each(WRITES)(
    'needs both conditions to be met, and says of a missed one what is wrong: %s',
    async (_what, make, write) => {
      const path = await make();
      const tag = tagOf(await client.get(path));
      const says: readonly (readonly [Record<string, string>, RegExp])[] = [
        [{ 'If-Match': '"other"' }, /^It is in none of the states that If-Match names, and may have changed/],
        [{ 'If-Match': `W/${tag}` }, /without W\//],
        [{ 'If-None-Match': '*' }, /^It exists already/],
        [{ 'If-None-Match': tag }, /^It is in a state that If-None-Match excludes/],
        [{ 'If-Match': tag, 'If-None-Match': '*' }, /^It exists already/],
        [{ 'If-Match': '"other"', 'If-None-Match': '*' }, /If-Match names/],
      ];
      for (const [headers, message] of says) {
        const reply = await write(path, headers);
        expectError(reply, 'precondition_failed');
        expect(messageOf(reply)).toMatch(message);
      }
      expect((await write(path, { 'If-Match': tag, 'If-None-Match': '"other"' })).status).toBeLessThan(300);
      await client.delete(path);
    },
  );

  it('that would create finds no state: If-Match is not met by it, If-None-Match is', async () => {
    for (const one of KINDS) {
      const id = 2_000 + made++;
      const reply = await put(id, `Category ${id}`, fieldsOf(one, '"x"'));
      if (one.names === 'malformed') expectError(reply, 'invalid_parameter');
      else if (one.field === 'If-None-Match') expect([label(one), reply.status]).toEqual([label(one), 201]);
      else {
        expectError(reply, 'precondition_failed');
        expect(reply.headers).not.toHaveProperty('etag');
        expect(messageOf(reply)).toMatch(/^It does not exist/);
        expectError(await client.get(`/v1/categories/${id}`), 'category_not_found');
      }
    }
  });
});

describe('POST', () => {
  it('heeds no condition: neither a creation, nor its repetition, nor an action', async () => {
    for (const one of KINDS) {
      const headers = { ...fieldsOf(one, '"x"'), 'Idempotency-Key': `once-${made++}` };
      const first = await client.post('/v1/pets', { name: 'Rex', categoryId: 7 }, { headers });
      const again = await client.post('/v1/pets', { name: 'Rex', categoryId: 7 }, { headers });
      expect([first.status, first.headers.etag]).toEqual([201, again.headers.etag]);
      expect(again).toMatchObject({
        status: 201,
        text: first.text,
        headers: { 'idempotent-replayed': 'true' },
      });
      const { id } = await place(client);
      const path = `${ORDERS}/${id}/cancel`;
      expect((await client.send(path, { method: 'POST', headers: fieldsOf(one, '"x"') })).status).toBe(200);
      expect((await act(client, id, 'cancel')).status).toBe(200);
    }
  });
});

it('dates are no conditions here: nothing has a Last-Modified', async () => {
  const [past, future] = ['Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 01 Jan 2100 00:00:00 GMT'];
  const headers = {
    'If-Modified-Since': future,
    'If-Unmodified-Since': past,
    'If-Range': '"x"',
    Range: 'bytes=0-1',
  };
  const reply = await client.get('/v1/pets/1', { headers });
  expect(reply.status).toBe(200);
  expect(reply.headers).not.toHaveProperty('last-modified');
  expect((await client.patch('/v1/pets/1', {}, { headers })).status).toBe(200);
});
