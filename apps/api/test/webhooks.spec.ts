import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client as PgClient } from 'pg';
import type { Client, Reply } from './client.js';
import { expectError, expectLimitHeaders } from './contract.js';
import { runService, type RunningService } from './running-service.js';

const PATH = '/v1/webhooks';
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

type Told = Readonly<Record<string, unknown>> & { readonly id: number };

let running: RunningService;
let client: Client;

beforeAll(async () => {
  running = await runService();
});
afterAll(() => running.close());
beforeEach(async () => {
  client = await running.client();
});

const told = ({ text }: Reply): Told => JSON.parse(text) as Told;
const add = (url: string, more: object = {}, by = client): Promise<Reply> => by.post(PATH, { url, ...more });

describe('POST /v1/webhooks', () => {
  it('adds a webhook, shows its secret, says where it is, and gives the tag that reading it gives', async () => {
    const reply = await add('HTTPS://Shop.Example:443/a/../b?c', {
      types: ['pet.*', 'order.placed'],
      description: 'The "shop" \\ 🐕',
      id: 99,
      status: 'disabled',
      other: {},
    });
    expect(reply.status).toBe(201);
    const { secret, ...webhook } = told(reply);
    expect(webhook).toEqual({
      id: expect.any(Number),
      url: 'https://shop.example/b?c',
      types: ['pet.*', 'order.placed'],
      description: 'The "shop" \\ 🐕',
      status: 'enabled',
      createdAt: expect.stringMatching(INSTANT),
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(reply.headers).toMatchObject({ location: `${PATH}/${webhook.id}`, 'cache-control': 'no-store' });
    expectLimitHeaders(reply);
    const read = await client.get(reply.headers.location ?? '');
    expect(read.status).toBe(200);
    expect(told(read)).toEqual(webhook);
    expect(read.headers.etag).toBe(reply.headers.etag);
    const again = await client.get(`${PATH}/${webhook.id}`, {
      headers: { 'If-None-Match': String(reply.headers.etag) },
    });
    expect(again).toMatchObject({ status: 304, text: '' });
  });

  it('keeps no secret in clear, and shows it to nobody', async () => {
    const reply = await add('https://secret.example/', {});
    const { id, secret } = told(reply);
    const sql = new PgClient(running.postgres.url);
    await sql.connect();
    const { rows } = await sql.query<{ sealed: Buffer }>(
      'select sealed from webhook_secrets where webhook_id = $1',
      [id],
    );
    await sql.end();
    const bytes = Buffer.from(String(secret).slice('whsec_'.length), 'base64');
    expect(rows).toHaveLength(1);
    expect(rows[0]?.sealed.includes(bytes)).toBe(false);
    for (const path of [PATH, `${PATH}/${id}`, `${PATH}/${id}/deliveries`])
      expect((await client.get(path)).text).not.toContain('whsec_');
    expect(running.lines.join('\n')).not.toContain(String(secret));
  });

  it.each([
    [{}, 'url must be a URL'],
    [{ url: null }, 'url must be a URL'],
    [{ url: 7 }, 'url must be a URL'],
    [{ url: '' }, 'url must be a URL'],
    [{ url: 'shop.example' }, 'url must be a URL'],
    [{ url: `https://a.example/${'a'.repeat(2_048)}` }, 'url must be a URL of at most 2048'],
    [{ url: `https://a.example/${'é'.repeat(1_000)}` }, 'in its normalised form'],
    [{ url: 'http://a.example/' }, 'url must be an https URL'],
    [{ url: 'ftp://a.example/' }, 'url must be an https URL'],
    [{ url: 'javascript:alert(1)' }, 'url must be an https URL'],
    [{ url: 'https://user:password@a.example/' }, 'url must not have a user name'],
    [{ url: 'https://a.example/#b' }, 'url must not have a fragment'],
    [{ url: 'https://a.example/#' }, 'url must not have a fragment'],
    [{ url: 'https://127.0.0.1/' }, 'url must not name an address'],
    [{ url: 'https://2130706433/' }, 'url must not name an address'],
    [{ url: 'https://0x7f000001/' }, 'url must not name an address'],
    [{ url: 'https://0177.0.0.1/' }, 'url must not name an address'],
    [{ url: 'https://[::1]/' }, 'url must not name an address'],
    [{ url: 'https://[::ffff:10.0.0.1]/' }, 'url must not name an address'],
    [{ url: 'https://169.254.169.254/latest/meta-data/' }, 'url must not name an address'],
    [{ url: 'https://a.example/', types: [] }, 'types must be a list of 1 to 20'],
    [{ url: 'https://a.example/', types: null }, 'types must be a list'],
    [{ url: 'https://a.example/', types: 'pet.*' }, 'types must be a list'],
    [{ url: 'https://a.example/', types: ['pet.moved'] }, 'types must be a list'],
    [{ url: 'https://a.example/', types: ['*'] }, 'types must be a list'],
    [{ url: 'https://a.example/', types: ['webhook.test'] }, 'types must be a list'],
    [{ url: 'https://a.example/', types: [7] }, 'types must be a list'],
    [{ url: 'https://a.example/', types: Array.from({ length: 21 }, () => 'pet.*') }, 'types must be a list'],
    [{ url: 'https://a.example/', description: '' }, 'description must be a string'],
    [{ url: 'https://a.example/', description: null }, 'description must be a string'],
  ])('refuses %j', async (body, message) => {
    const reply = await client.post(PATH, body);
    expectError(reply, 'validation_failed');
    expect(reply.text).toContain(message);
    expect(await client.get(PATH)).toMatchObject({ text: '[]' });
  });

  it('refuses types that the scopes of the key do not allow', async () => {
    const few = await running.client({ scopes: ['webhooks:manage', 'pets:read'] });
    const refused = await add('https://a.example/', { types: ['pet.*', 'order.placed'] }, few);
    expectError(refused, 'validation_failed');
    expect(refused.text).toContain('orders:read');
    expect((await add('https://a.example/', { types: ['pet.*', 'category.*'] }, few)).status).toBe(201);
    const none = await running.client({ scopes: ['webhooks:manage'] });
    expectError(await add('https://a.example/', { types: ['category.created'] }, none), 'validation_failed');
    expect((await add('https://a.example/', {}, none)).status).toBe(201);
  });

  it('adds exactly ten of eleven that come at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 11 }, (_, n) => add(`https://shop-${n}.example/`)),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(10);
    for (const reply of replies) if (reply.status !== 201) expectError(reply, 'webhook_limit_reached');
    const listed = JSON.parse((await client.get(PATH)).text) as Told[];
    expect(listed).toHaveLength(10);
    expect(listed.map(({ id }) => id)).toEqual(listed.map(({ id }) => id).sort((a, b) => b - a));
    // To send one again is safe, whether there is room or not.
    expectError(await add(String(listed[0]?.['url'])), 'webhook_url_taken');
    expect((await client.delete(`${PATH}/${listed[0]?.id}`)).status).toBe(204);
    expect((await add('https://another.example/')).status).toBe(201);
  });

  it('adds one of two with the same URL, however it is spelt', async () => {
    const replies = await Promise.all([add('https://shop.example'), add('https://SHOP.example:443/./')]);
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
    for (const reply of replies) if (reply.status === 409) expectError(reply, 'webhook_url_taken');
  });
});
