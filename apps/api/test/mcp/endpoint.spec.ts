import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type Reply } from '../support/client.js';
import { expectLimitHeaders } from '../support/contract.js';
import { runService, type RunningService } from '../support/running-service.js';
import { Assistant } from './assistant.js';

const SHOP = 'https://shop.example.com';

let running: RunningService;
let client: Client;
let anonymous: Client;
let assistant: Assistant;

beforeAll(async () => {
  running = await runService({ CORS_ORIGINS: SHOP });
  client = await running.client();
  anonymous = new Client(running.service.origin);
  assistant = new Assistant(client);
});
afterAll(async () => {
  anonymous.close();
  await running.close();
});

const remaining = ({ headers }: Reply): number => Number(headers['x-ratelimit-remaining']);
/** The form of every error of the product. */
function expectRefusal(reply: Reply, status: number, code: string): void {
  expect([reply.status, JSON.parse(reply.text)]).toEqual([
    status,
    { code, message: expect.stringMatching(/\.$/), status },
  ]);
}

describe('the endpoint', () => {
  it.each(['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD'])(
    'refuses %s before the key, and meters it nowhere',
    async (method) => {
      const before = remaining(await assistant.send('ping'));
      for (const sender of [anonymous, client]) {
        const reply = await sender.send('/mcp', { method });
        expect(reply.status).toBe(405);
        expect(reply.headers.allow).toBe('OPTIONS, POST');
        expect(reply.headers).not.toHaveProperty('x-ratelimit-limit');
        if (method !== 'HEAD') expectRefusal(reply, 405, 'method_not_allowed');
      }
      expect(remaining(await assistant.send('ping'))).toBe(before - 1);
    },
  );

  it('needs a key, offers no OAuth, and is at one path only', async () => {
    const keyless = await anonymous.post('/mcp', {});
    expectRefusal(keyless, 401, 'missing_api_key');
    expect(keyless.headers['www-authenticate']).toBe('Bearer realm="petstore"');
    expectRefusal(await anonymous.post('/mcp', '{', { key: 'made-up' }), 401, 'invalid_api_key');
    for (const path of ['/mcp/', '/MCP', '/mcp/x', '/.well-known/oauth-protected-resource', '/v1/mcp'])
      expectRefusal(await client.post(path, {}), 404, 'route_not_found');
    expect((await client.post('/mcp?x=1', { jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(200);
  });

  it('charges one unit a POST, whatever it holds, and refuses the 61st', async () => {
    const own = new Assistant(await running.client({ plan: 'free' }));
    const bodies = [
      '{',
      '[]',
      { jsonrpc: '2.0', method: 'x' },
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    ];
    for (let n = 1; n <= 60; n++) {
      const reply = await own.post(bodies[n % 4]);
      expectLimitHeaders(reply);
      expect(remaining(reply)).toBe(60 - n);
    }
    const refused = await own.post('{');
    expectRefusal(refused, 429, 'rate_limit_exceeded');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  it.each([
    ['another media type', 415, 'unsupported_media_type', '{}', { 'Content-Type': 'text/plain' }],
    ['a coding', 415, 'unsupported_media_type', '{}', { 'Content-Encoding': 'gzip' }],
    ['more than 64 KiB', 413, 'payload_too_large', `{"x":"${'x'.repeat(65_530)}"}`, {}],
    ['no JSON', 400, 'invalid_json', '{', {}],
    ['no UTF-8', 400, 'invalid_json', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), {}],
    ['a member twice', 400, 'invalid_json', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', {}],
    ['a member twice within', 400, 'invalid_json', '{"params":{"a":{"b":1,"b":2}}}', {}],
    ['deep nesting', 400, 'invalid_json', `{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}`, {}],
    ['a batch', 400, 'invalid_json', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', {}],
    ['a string', 400, 'invalid_json', '"ping"', {}],
    ['null', 400, 'invalid_json', 'null', {}],
  ])('refuses a body of %s in the form of every error', async (_what, status, code, body, headers) => {
    expectRefusal(await assistant.post(body, headers), status, code);
  });

  it('takes 64 KiB', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'ping', params: { x: '' } };
    body.params.x = 'x'.repeat(64 * 1024 - JSON.stringify(body).length);
    expect((await assistant.post(body)).status).toBe(200);
  });

  it('ignores Accept, sessions and Host, and gives out none', async () => {
    for (const headers of [{ Accept: 'text/html' }, { 'Mcp-Session-Id': 'x', Host: 'evil.example' }]) {
      const reply = await assistant.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, headers);
      expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json']);
      expect(reply.text).toBe('{"jsonrpc":"2.0","id":1,"result":{}}');
      expect(reply.headers).not.toHaveProperty('mcp-session-id');
    }
  });
});

describe('pages of other origins', () => {
  it.each(['https://evil.example', 'null', '', `${SHOP}.evil.example`, `${SHOP}, ${SHOP}`])(
    'are refused before the key, at the cost of their address: %j',
    async (origin) => {
      const before = remaining(await assistant.send('ping'));
      const replies = [
        await assistant.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { Origin: origin }),
        await anonymous.post('/mcp', '{', { headers: { Origin: origin } }),
      ];
      for (const reply of replies) {
        expectRefusal(reply, 403, 'origin_not_allowed');
        expect(reply.headers['x-ratelimit-limit']).toBe('100000');
        expect(reply.headers).not.toHaveProperty('www-authenticate');
        expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
      }
      expect(remaining(await assistant.send('ping'))).toBe(before - 1);
    },
  );

  it('are refused with 429 once their address has used up its limit', async () => {
    const { origin } = await running.another({ ANONYMOUS_PER_MINUTE: '2', REDIS_URL: undefined });
    const page = new Client(origin, await running.issueKey());
    const call = (): Promise<Reply> => page.post('/mcp', {}, { headers: { Origin: 'https://evil.example' } });
    for (const status of [403, 403, 429]) expect((await call()).status).toBe(status);
    page.close();
  });

  it('may call where the operator names them, and are told what they may send', async () => {
    const reply = await assistant.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { Origin: SHOP });
    expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([200, SHOP]);
    const preflight = (origin: string): Promise<Reply> =>
      anonymous.send('/mcp', {
        method: 'OPTIONS',
        headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
      });
    const told = await preflight(SHOP);
    expect([told.status, told.text, told.headers.allow]).toEqual([204, '', 'OPTIONS, POST']);
    expect(told.headers['access-control-allow-headers']?.toLowerCase().split(',')).toEqual(
      expect.arrayContaining([
        'authorization',
        'content-type',
        'mcp-method',
        'mcp-name',
        'mcp-protocol-version',
      ]),
    );
    expect(remaining(await preflight(SHOP))).toBe(remaining(told) - 1);
    const stranger = await preflight('https://evil.example');
    expect(stranger.status).toBe(204);
    expect(stranger.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('may call from everywhere with CORS_ORIGINS=*, and from nowhere without it', async () => {
    for (const [setting, status] of [
      ['*', 200],
      [undefined, 403],
    ] as const) {
      const { origin } = await running.another({ CORS_ORIGINS: setting });
      const page = new Client(origin, await running.issueKey());
      const reply = await page.post(
        '/mcp',
        { jsonrpc: '2.0', id: 1, method: 'ping' },
        { headers: { Origin: 'https://any.example' } },
      );
      expect(reply.status).toBe(status);
      page.close();
    }
  });
});
