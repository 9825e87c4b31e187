import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { MERGE_PATCH, startThings } from './testing/things-app.js';

let app: NestExpressApplication;
let origin: string;

beforeAll(async () => {
  app = await startThings();
  origin = await app.getUrl();
});
afterAll(() => app.close());

const send = (method: string, path: string, init: RequestInit = {}): Promise<globalThis.Response> =>
  fetch(`${origin}/v1${path}`, { method, ...init });

describe('a path with operations', () => {
  it.each([
    ['/things/1', 'DELETE, GET, HEAD, OPTIONS, PATCH', `${MERGE_PATCH}, application/json`],
    ['/things', 'GET, HEAD, OPTIONS', null],
  ])('says at %s what it allows, to OPTIONS and with 405', async (path, allow, acceptPatch) => {
    const options = await send('OPTIONS', path);
    const refused = await send('PUT', path);
    expect([options.status, await options.text()]).toEqual([204, '']);
    expect(refused.status).toBe(405);
    expect(await refused.json()).toMatchObject({ code: 'method_not_allowed' });
    for (const { headers } of [options, refused]) {
      expect(headers.get('allow')).toBe(allow);
      expect(headers.get('accept-patch')).toBe(acceptPatch);
    }
  });

  it('is no unknown path, which is 404', async () => {
    const reply = await send('GET', '/things/1/more');
    expect([reply.status, await reply.json()]).toMatchObject([404, { code: 'route_not_found' }]);
  });
});

describe('an operation without a body in its answer', () => {
  it('answers 204 with no header fields of one', async () => {
    const { status, headers, text } = await send('DELETE', '/things/1').then(async (reply) => ({
      status: reply.status,
      headers: reply.headers,
      text: await reply.text(),
    }));
    expect([status, text]).toEqual([204, '']);
    for (const name of ['content-type', 'content-length', 'etag'])
      expect([name, headers.get(name)]).toEqual([name, null]);
  });
});

describe('an operation that declares media types', () => {
  it.each([MERGE_PATCH, 'application/json', `${MERGE_PATCH}; charset=utf-8`])('reads %s', async (type) => {
    const reply = await send('PATCH', '/things/1', {
      body: '{"name":"a"}',
      headers: { 'Content-Type': type },
    });
    expect([reply.status, await reply.json()]).toEqual([200, { name: 'a' }]);
  });

  it('refuses others, and says which it reads', async () => {
    const reply = await send('PATCH', '/things/1', {
      body: '{}',
      headers: { 'Content-Type': 'application/json-patch+json' },
    });
    expect(reply.status).toBe(415);
    expect(reply.headers.get('accept-patch')).toBe(`${MERGE_PATCH}, application/json`);
    expect(await reply.json()).toMatchObject({ code: 'unsupported_media_type' });
  });
});
