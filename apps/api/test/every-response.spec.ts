import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from './client.js';
import { expectError } from './contract.js';
import { runService, type RunningService } from './running-service.js';

let running: RunningService;
let client: Client;
let anonymous: Client;

beforeAll(async () => {
  running = await runService();
  client = await running.client();
  anonymous = new Client(running.service.origin);
});
afterAll(async () => {
  anonymous.close();
  await running.close();
});

describe('every response', () => {
  it('has a request id, the one that was sent if it is fit for a log line', async () => {
    const given = await client.get('/v1/pets', { headers: { 'X-Request-Id': 'order-66_abc' } });
    expect(given.headers['x-request-id']).toBe('order-66_abc');
    for (const id of ['short', 'x'.repeat(65), 'with space', 'a"quote"']) {
      const reply = await client.get('/nowhere', { headers: { 'X-Request-Id': id } });
      expect(reply.headers['x-request-id']).toMatch(/^[\w-]{36}$/);
    }
  });

  it.each(['/v1/pets', '/v1/unknown', '/nowhere', '/livez', '/', '/docs', '/openapi.json'])(
    'tells browsers to be careful with %s',
    async (path) => {
      for (const asked of [client, anonymous]) {
        const { headers } = await asked.get(path);
        expect(headers).toMatchObject({
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'content-security-policy': expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'/),
          'strict-transport-security': expect.stringContaining('max-age='),
        });
        expect(headers).not.toHaveProperty('x-powered-by');
        expect(headers).not.toHaveProperty('access-control-allow-origin');
      }
    },
  );
});

describe('outside of /v1', () => {
  it.each([
    '/pets',
    '/V1/pets',
    '//v1/pets',
    '/v2/pets',
    '/metrics',
    '/favicon.ico',
    '/livez/',
    '/%zz',
    '/*',
  ])('there is nothing at %s, with or without a key', async (path) => {
    for (const asked of [client, anonymous]) {
      const reply = await asked.get(path);
      expectError(reply, 'route_not_found');
      expect(reply.headers).not.toHaveProperty('x-ratelimit-limit');
    }
  });

  it.each([
    '/livez',
    '/readyz',
    '/docs',
    '/docs/guide',
    '/llms.txt',
    '/openapi.json',
    '/openapi.yaml',
    '/openapi-webhooks.json',
  ])('%s needs no key', async (path) => {
    const reply = await anonymous.get(path);
    expect(reply.status).toBe(200);
    expect(reply.headers).not.toHaveProperty('x-ratelimit-limit');
  });
});
