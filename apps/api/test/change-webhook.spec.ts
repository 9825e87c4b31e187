import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client, Reply } from './client.js';
import { expectError } from './contract.js';
import { runService, type RunningService } from './running-service.js';

const PATH = '/v1/webhooks';

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
async function added(url: string, more: object = {}): Promise<string> {
  const reply = await add(url, more);
  expect(reply.status).toBe(201);
  return `${PATH}/${told(reply).id}`;
}

describe('PATCH /v1/webhooks/{webhookId}', () => {
  it('changes what the body has, takes away what is null, and repeats itself harmlessly', async () => {
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
    const options = await client.send(path, { method: 'OPTIONS' });
    expect(options.headers).toMatchObject({
      allow: 'DELETE, GET, HEAD, OPTIONS, PATCH',
      'accept-patch': 'application/merge-patch+json, application/json',
    });
  });

  it.each([
    [{ url: null }, 'url cannot be removed'],
    [{ status: null }, 'status cannot be removed'],
    [{ status: 'gone' }, 'status must be one of enabled, disabled'],
    [{ types: [] }, 'types must be a list'],
    [{ url: 'http://shop.example/' }, 'url must be an https URL'],
    [{ description: ' ' }, 'description must be a string'],
  ])('refuses %j', async (body, message) => {
    const path = await added('https://shop.example/');
    const before = await client.get(path);
    const reply = await client.patch(path, { types: ['pet.*'], ...body });
    expectError(reply, 'validation_failed');
    expect(reply.text).toContain(message);
    expect((await client.get(path)).text).toBe(before.text);
  });

  it('lets one of two win that know the same state', async () => {
    const path = await added('https://shop.example/');
    const etag = String((await client.get(path)).headers.etag);
    const headers = { 'If-Match': etag };
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
    expectError(await client.delete(path, { headers: { 'If-Match': 'x' } }), 'invalid_parameter');
    // 412 comes before 409.
    await added('https://other.example/');
    const taken = { url: 'https://other.example/' };
    expectError(await client.patch(path, taken, { headers }), 'precondition_failed');
    expectError(await client.patch(path, taken), 'webhook_url_taken');
  });
});

describe('webhooks of other keys', () => {
  it.each([
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/rotate-secret'],
    ['POST', '/test'],
    ['GET', '/deliveries'],
    ['POST', '/deliveries/1/redeliver'],
    ['POST', '/recover'],
  ])('%s %s is 404, as for an id that is none', async (method, rest) => {
    const path = await added('https://shop.example/');
    const other = await running.client();
    const body = { PATCH: {}, POST: { after: 0 } }[method];
    for (const target of [path, `${PATH}/0`, `${PATH}/x`, `${PATH}/01`, `${PATH}/9223372036854775808`]) {
      const reply =
        body === undefined
          ? await other.send(target + rest, { method })
          : await other.post(target + rest, body, { method });
      expectError(reply, 'webhook_not_found');
    }
    expect((await other.get(PATH)).text).toBe('[]');
    expect((await client.get(path)).status).toBe(200);
  });
});

describe('the scope webhooks:manage', () => {
  it('is not among those of a key that is created without scopes', async () => {
    const plain = running.administration.create({ name: 'plain', plan: 'pro' }, 'tests');
    const by = client.with((await plain).secret);
    expectError(await by.get(PATH), 'insufficient_scope');
    expectError(await add('https://shop.example/', {}, by), 'insufficient_scope');
    by.close();
  });
});

describe('DELETE /v1/webhooks/{webhookId}', () => {
  it('removes it for good', async () => {
    const path = await added('https://shop.example/');
    expect(await client.delete(path)).toMatchObject({ status: 204, text: '' });
    expectError(await client.delete(path), 'webhook_not_found');
    expectError(await client.get(path), 'webhook_not_found');
    expectError(await client.get(`${path}/deliveries`), 'webhook_not_found');
    expect(await client.get(PATH)).toMatchObject({ text: '[]' });
    expect(told(await add('https://shop.example/')).id).toBeGreaterThan(Number(path.split('/').at(-1)));
  });
});

describe('POST /v1/webhooks/{webhookId}/rotate-secret', () => {
  it('gives the webhook with a new secret, with or without a body', async () => {
    const reply = await add('https://shop.example/');
    const { secret, ...webhook } = told(reply);
    const path = `${PATH}/${webhook.id}/rotate-secret`;
    const secrets = new Set([secret]);
    for (const rotated of [
      await client.send(path, { method: 'POST' }),
      await client.post(path, {}),
      await client.post(path, { overlapHours: 0 }),
      await client.post(path, { overlapHours: 1.5e2 }),
    ]) {
      const { secret: next, ...rest } = told(rotated);
      expect([rotated.status, rest]).toEqual([200, webhook]);
      expect(rotated.headers['cache-control']).toBe('no-store');
      secrets.add(next);
    }
    expect(secrets.size).toBe(5);
  });

  it.each([-1, 168.5, '24', null, true])('refuses an overlap of %j hours', async (overlapHours) => {
    const path = await added('https://shop.example/');
    const reply = await client.post(`${path}/rotate-secret`, { overlapHours });
    expectError(reply, 'validation_failed');
    expect(reply.text).toContain('overlapHours must be a number from 0 to 168');
  });
});
