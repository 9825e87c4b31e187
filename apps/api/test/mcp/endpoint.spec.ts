import { describe, expect, it } from '@jest/globals';
import type { Reply } from '../support/client.js';
import { expectError, expectLimitHeaders } from '../support/contract.js';
import { serve } from '../support/running-service.js';
import { Assistant } from './assistant.js';

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const SHOP = 'https://shop.example.com';

const { running, client } = await serve({ CORS_ORIGINS: SHOP });
const anonymous = running.connect();
const assistant = new Assistant(client);

const remaining = ({ headers }: Reply): number => Number(headers['x-ratelimit-remaining']);

describe('the endpoint', () => {
  it.each(['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD'])(
    'refuses %s before the key, and meters it nowhere',
    async (method) => {
      const before = remaining(await assistant.send('ping'));
      for (const sender of [anonymous, client]) {
        const reply = await sender.send('/mcp', { method });
        expect([reply.status, reply.headers.allow]).toEqual([405, 'OPTIONS, POST']);
        expect(reply.headers).not.toHaveProperty('x-ratelimit-limit');
        if (method !== 'HEAD') expectError(reply, 'method_not_allowed');
      }
      expect(remaining(await assistant.send('ping'))).toBe(before - 1);
    },
  );

  it('needs a secret key, offers no OAuth, and is at one path only', async () => {
    const keyless = await anonymous.post('/mcp', {});
    expectError(keyless, 'missing_api_key');
    expect(keyless.headers['www-authenticate']).toBe('Bearer realm="petstore"');
    expectError(await anonymous.post('/mcp', '{', { key: 'made-up' }), 'invalid_api_key');
    const key = await running.issueKey({ plan: 'pro', origins: [SHOP] });
    const page = await anonymous.post('/mcp', {}, { key, headers: { Origin: SHOP } });
    expectError(page, 'insufficient_scope');
    for (const path of ['/mcp/', '/MCP', '/mcp/x', '/.well-known/oauth-protected-resource', '/v1/mcp'])
      expectError(await client.post(path, {}), 'route_not_found');
    expect((await client.post('/mcp?x=1', PING)).status).toBe(200);
  });

  it('consumes one unit a POST, whatever it holds, and refuses the 61st', async () => {
    const own = new Assistant(await running.client({ plan: 'free' }));
    const bodies = ['{', '[]', { jsonrpc: '2.0', method: 'x' }, { ...PING, method: 'tools/list' }];
    for (let n = 1; n <= 60; n++) {
      const reply = await own.post(bodies[n % 4]);
      expectLimitHeaders(reply);
      expect(remaining(reply)).toBe(60 - n);
    }
    const refused = await own.post('{');
    expectError(refused, 'rate_limit_exceeded');
    // A model sees no header fields.
    const { message } = JSON.parse(refused.text) as { message: string };
    expect(message).toContain(`${refused.headers['retry-after']} s`);
  });

  it.each([
    ['another media type', 'unsupported_media_type', '{}', { 'Content-Type': 'text/plain' }],
    ['a coding', 'unsupported_media_type', '{}', { 'Content-Encoding': 'gzip' }],
    ['more than 64 KiB', 'payload_too_large', `{"x":"${'x'.repeat(65_530)}"}`, {}],
    ['no JSON', 'invalid_json', '{', {}],
    ['no UTF-8', 'invalid_json', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), {}],
    ['a member twice', 'invalid_json', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', {}],
    ['a member twice within', 'invalid_json', '{"params":{"a":{"b":1,"b":2}}}', {}],
    ['deep nesting', 'invalid_json', `{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}`, {}],
    ['a batch', 'invalid_json', JSON.stringify([PING]), {}],
    ['null', 'invalid_json', 'null', {}],
  ])('refuses a body of %s in the form of every error', async (_what, code, body, headers) => {
    expectError(await assistant.post(body, headers), code);
  });

  it('takes 64 KiB', async () => {
    const { length } = JSON.stringify({ ...PING, params: { x: '' } });
    const params = { x: 'x'.repeat(64 * 1024 - length) };
    expect((await assistant.post({ ...PING, params })).status).toBe(200);
  });

  it.each([
    { Accept: 'text/html' },
    { Accept: 'application/json' },
    { 'Mcp-Session-Id': 'x', Host: 'evil.example' },
  ])('ignores %j, and gives out no session', async (headers) => {
    const reply = await assistant.post(PING, headers);
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json']);
    expect(JSON.parse(reply.text)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(reply.headers).not.toHaveProperty('mcp-session-id');
  });
});

describe('pages of other origins', () => {
  it.each(['https://evil.example', 'null', '', `${SHOP}.evil.example`, `${SHOP}, ${SHOP}`])(
    'are refused before the key, at the cost of their address: %j',
    async (Origin) => {
      const before = remaining(await assistant.send('ping'));
      for (const sender of [assistant, new Assistant(anonymous)]) {
        const reply = await sender.post(PING, { Origin });
        expectError(reply, 'origin_not_allowed');
        expect(reply.headers['x-ratelimit-limit']).toBe('100000');
        expect(reply.headers).not.toHaveProperty('www-authenticate');
        expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
      }
      expect(remaining(await assistant.send('ping'))).toBe(before - 1);
    },
  );

  it('are refused with 429 once their address has used up its limit', async () => {
    const { origin } = await running.another({ ANONYMOUS_PER_MINUTE: '2', REDIS_URL: undefined });
    const page = new Assistant(running.connect(await running.issueKey(), origin));
    for (const status of [403, 403, 429])
      expect((await page.post({}, { Origin: 'https://evil.example' })).status).toBe(status);
  });

  it('may call where the operator names them, and are told what they may send', async () => {
    const reply = await assistant.post(PING, { Origin: SHOP });
    expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([200, SHOP]);
    const preflight = (Origin: string): Promise<Reply> =>
      anonymous.send('/mcp', {
        method: 'OPTIONS',
        headers: { Origin, 'Access-Control-Request-Method': 'POST' },
      });
    const told = await preflight(SHOP);
    expect([told.status, told.text]).toEqual([204, '']);
    const allowed = told.headers['access-control-allow-headers']?.toLowerCase().split(',');
    const needed = 'authorization content-type mcp-method mcp-name mcp-protocol-version'.split(' ');
    expect(allowed).toEqual(expect.arrayContaining(needed));
    const stranger = await preflight('https://evil.example');
    expect(stranger.status).toBe(204);
    expect(stranger.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it.each([
    ['from everywhere', '*', 200],
    ['from nowhere', undefined, 403],
  ])('may call %s with CORS_ORIGINS=%s', async (_where, setting, status) => {
    const { origin } = await running.another({ CORS_ORIGINS: setting });
    const page = new Assistant(running.connect(await running.issueKey(), origin));
    expect((await page.post(PING, { Origin: 'https://any.example' })).status).toBe(status);
  });
});
