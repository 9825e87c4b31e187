import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Client, Reply } from '../support/client.js';
import { expectError, expectLimitHeaders } from '../support/contract.js';
import { serveShared } from '../support/running-service.js';

const PATH = '/v1/webhooks';
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

type Told = Readonly<Record<string, unknown>> & { readonly id: number };

const { running } = await serveShared();
/** Of a key without webhooks. */
let client: Client;

const withoutWebhooks = async (): Promise<void> => {
  client = await running.client();
};

const told = ({ text }: Reply): Told => JSON.parse(text) as Told;
const add = (url: string, more: object = {}, by = client): Promise<Reply> => by.post(PATH, { url, ...more });
/** Path of a new webhook. */
async function added(url = 'https://shop.example/', more: object = {}): Promise<string> {
  const reply = await add(url, more);
  expect(reply.status).toBe(201);
  return `${PATH}/${told(reply).id}`;
}
function expectInvalid(reply: Reply, message: string): void {
  expectError(reply, 'validation_failed');
  expect(reply.text).toContain(message);
}

describe('POST /v1/webhooks', () => {
  beforeEach(withoutWebhooks);
  it('adds a webhook, shows its secret, says where it is, and gives the tag that reading it gives', async () => {
    const wanted = { types: ['pet.*', 'order.placed'], description: 'The "shop" \\ 🐕' };
    const ignored = { id: 99, status: 'disabled', other: {} };
    const reply = await add('HTTPS://Shop.Example:443/a/../b?c', { ...wanted, ...ignored });
    expect(reply.status).toBe(201);
    const { secret, ...webhook } = told(reply);
    expect(webhook).toEqual({
      ...wanted,
      id: expect.any(Number),
      url: 'https://shop.example/b?c',
      status: 'enabled',
      createdAt: expect.stringMatching(INSTANT),
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { etag } = reply.headers;
    const path = `${PATH}/${webhook.id}`;
    expect(reply.headers).toMatchObject({ location: path, 'cache-control': 'no-store' });
    expectLimitHeaders(reply);
    const read = await client.get(path);
    expect([read.status, told(read), read.headers.etag]).toEqual([200, webhook, etag]);
    expect(await client.get(path, { headers: { 'If-None-Match': etag } })).toMatchObject({
      status: 304,
      text: '',
    });
  });

  it('keeps no secret in clear, and shows it to nobody', async () => {
    const { id, secret } = told(await add('https://secret.example/'));
    const rows = await running.database.manager.query<{ sealed: Buffer }[]>(
      `select sealed from webhook_secrets where webhook_id = ${id}`,
    );
    const bytes = Buffer.from(String(secret).slice('whsec_'.length), 'base64');
    expect(rows.map(({ sealed }) => sealed.includes(bytes))).toEqual([false]);
    for (const path of [PATH, `${PATH}/${id}`, `${PATH}/${id}/deliveries`])
      expect((await client.get(path)).text).not.toContain('whsec_');
    expect(running.lines.join('\n')).not.toContain(String(secret));
  });

  it.each([
    ['shop.example', 'url must be a URL'],
    [`https://a.example/${'a'.repeat(2_048)}`, 'url must have at most 2048'],
    [`https://a.example/${'é'.repeat(1_000)}`, 'in its normalised form'],
    ['http://a.example/', 'url must be an https URL'],
    ['https://user@a.example/', 'url must not have a user name'],
    ['https://a.example/#', 'url must not have a fragment'],
    ['https://2130706433/', 'url must not name an address'],
  ])('refuses the URL %j', async (url, message) => {
    expectInvalid(await client.post(PATH, { url }), message);
    expect((await client.get(PATH)).text).toBe('[]');
  });

  it('refuses types that are none', async () => {
    for (const types of [[], ['*'], ['webhook.test']])
      expectInvalid(await add('https://a.example/', { types }), 'types must be a list of 1 to 20');
  });

  it('refuses types that the scopes of the key do not allow', async () => {
    const few = await running.client({ scopes: ['webhooks:manage', 'pets:read'] });
    expectInvalid(await add('https://a.example/', { types: ['pet.*', 'order.placed'] }, few), 'orders:read');
    expect((await add('https://a.example/', { types: ['pet.*', 'category.*'] }, few)).status).toBe(201);
    const none = await running.client({ scopes: ['webhooks:manage'] });
    expectError(await add('https://a.example/', { types: ['category.created'] }, none), 'validation_failed');
    expect((await add('https://a.example/', {}, none)).status).toBe(201);
  });

  it('adds exactly ten of eleven that come at once, and of two with the same URL one', async () => {
    const replies = await Promise.all(
      Array.from({ length: 11 }, (_, n) => add(`https://shop-${n}.example/`)),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(10);
    for (const reply of replies) if (reply.status !== 201) expectError(reply, 'webhook_limit_reached');
    const listed = JSON.parse((await client.get(PATH)).text) as Told[];
    const ids = listed.map(({ id }) => id);
    expect(ids).toHaveLength(10);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    // To send one again is safe, whether there is room or not.
    expectError(await add(String(listed[0]?.['url'])), 'webhook_url_taken');
    for (const id of ids.slice(0, 2)) expect((await client.delete(`${PATH}/${id}`)).status).toBe(204);
    const twins = await Promise.all([add('https://twin.example'), add('https://TWIN.example:443/./')]);
    expect(twins.map(({ status }) => status).sort()).toEqual([201, 409]);
    for (const reply of twins) if (reply.status === 409) expectError(reply, 'webhook_url_taken');
  });

  it('needs a scope that a key which is created without scopes does not have', async () => {
    const plain = await running.administration.create({ name: 'plain', plan: 'pro' }, 'tests');
    for (const method of ['GET', 'POST'])
      expectError(await client.post(PATH, {}, { key: plain.secret, method }), 'insufficient_scope');
  });
});

describe('PATCH /v1/webhooks/{webhookId}', () => {
  beforeEach(withoutWebhooks);
  it('changes what the body has, removes what is null, and repeats itself harmlessly', async () => {
    const path = await added('https://shop.example/', { types: ['pet.*'], description: 'The shop.' });
    const patch = { url: 'https://SHOP.example/new', types: null, description: null };
    const changed = await client.patch(path, patch);
    expect(changed.status).toBe(200);
    expect(Object.keys(told(changed))).toEqual(['id', 'url', 'status', 'createdAt']);
    expect(told(changed)).toMatchObject({ url: 'https://shop.example/new', status: 'enabled' });
    const read = await client.get(path);
    expect([read.text, read.headers.etag]).toEqual([changed.text, changed.headers.etag]);
    for (const again of [patch, {}])
      expect((await client.patch(path, again)).headers.etag).toBe(changed.headers.etag);
    const mediaType = { headers: { 'Content-Type': 'application/merge-patch+json' } };
    expect((await client.patch(path, { description: 'Mine.' }, mediaType)).status).toBe(200);
    expect((await client.send(path, { method: 'OPTIONS' })).headers).toMatchObject({
      allow: 'DELETE, GET, HEAD, OPTIONS, PATCH',
      'accept-patch': 'application/merge-patch+json, application/json',
    });
  });

  it.each([
    [{ url: null }, 'url cannot be removed'],
    [{ status: null }, 'status cannot be removed'],
    [{ url: 'http://shop.example/' }, 'url must be an https URL'],
  ])('refuses %j', async (body, message) => {
    const path = await added();
    const before = await client.get(path);
    expectInvalid(await client.patch(path, { types: ['pet.*'], ...body }), message);
    expect((await client.get(path)).text).toBe(before.text);
  });

  it('happens one after the other: two that exchange URLs do not wait for each other', async () => {
    const [a, b] = ['https://a.example/', 'https://b.example/'];
    const [one, other] = [await added(a), await added(b)];
    for (let round = 0; round < 5; round++) {
      const replies = await Promise.all([client.patch(one, { url: b }), client.patch(other, { url: a })]);
      for (const reply of replies) expectError(reply, 'webhook_url_taken');
    }
  });

  it('lets one of two win that know the same state', async () => {
    const path = await added();
    const headers = { 'If-Match': (await client.get(path)).headers.etag };
    const replies = await Promise.all(
      ['One.', 'Two.'].map((description) => client.patch(path, { description }, { headers })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412]);
    const current = await client.get(path);
    for (const reply of replies) {
      if (reply.status === 412) expectError(reply, 'precondition_failed');
      expect(reply.headers.etag).toBe(current.headers.etag);
    }
    expectError(await client.delete(path, { headers }), 'precondition_failed');
    // 412 comes before 409.
    const taken = { url: 'https://other.example/' };
    await added(taken.url);
    expectError(await client.patch(path, taken, { headers }), 'precondition_failed');
    expectError(await client.patch(path, taken), 'webhook_url_taken');
  });
});

describe('DELETE /v1/webhooks/{webhookId}', () => {
  beforeEach(withoutWebhooks);

  it('removes it for good', async () => {
    const path = await added();
    expect(await client.delete(path)).toMatchObject({ status: 204, text: '' });
    expectError(await client.delete(path), 'webhook_not_found');
    for (const gone of [path, `${path}/deliveries`]) expectError(await client.get(gone), 'webhook_not_found');
    expect((await client.get(PATH)).text).toBe('[]');
    expect(told(await add('https://shop.example/')).id).toBeGreaterThan(Number(path.split('/').at(-1)));
  });
});
