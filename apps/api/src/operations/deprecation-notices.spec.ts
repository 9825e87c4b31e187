import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DeprecationNotices } from './deprecation-notices.js';
import { OperationRegistry } from './operation-registry.js';
import { startThings } from './testing/things-app.js';

let app: NestExpressApplication;
let origin: string;

beforeAll(async () => {
  app = await startThings();
  origin = await app.getUrl();
});
afterAll(() => app.close());

const send = (method: string, path: string, init: RequestInit = {}): Promise<globalThis.Response> =>
  fetch(`${origin}/v1${path}`, { method, ...init });

describe('deprecated operations', () => {
  it('each announce themselves, with the date that the operator sets', async () => {
    const reply = await send('GET', '/things/1');
    expect(reply.status).toBe(200);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      deprecation: '@1769904000',
      sunset: 'Sun, 22 Nov 2026 00:00:00 GMT',
      link: '</docs/guide/deprecation>; rel="deprecation"; type="text/html", </v1/things>; rel="successor-version"',
    });
  });

  it('are each gone after their own sunset, and say so to HEAD too', async () => {
    const reply = await send('GET', '/things');
    expect([reply.status, reply.headers.get('deprecation')]).toEqual([410, '@1767225600']);
    expect(await reply.json()).toEqual({
      code: 'operation_removed',
      message: 'This operation has been removed. Use GET /v1/things with ids.',
      status: 410,
    });
    expect((await send('HEAD', '/things')).status).toBe(410);
  });

  it('say nothing of other methods on their path', async () => {
    for (const method of ['DELETE', 'PUT', 'OPTIONS'])
      expect((await send(method, '/things/1')).headers.get('deprecation')).toBeNull();
  });

  it('are recognised before they are routed', () => {
    const announced = (method: string, url: string): boolean => {
      let fields = 0;
      const response = { setHeader: () => fields++ };
      app.get(DeprecationNotices).announceUnrouted({ method, url } as never, response as never);
      return fields > 0;
    };
    expect(announced('GET', '/v1/things/1?a=b')).toBe(true);
    expect(announced('HEAD', '/v1/things')).toBe(true);
    expect(announced('DELETE', '/v1/things/1')).toBe(false);
    expect(announced('GET', '/v1/things/1/more')).toBe(false);
  });

  it('are refused at the start when a setting is for none', () => {
    const options = { baseUrl: '/v1', now: Date.now, settings: { getThings: {} } };
    expect(() => new DeprecationNotices(app.get(OperationRegistry), options)).toThrow('getThings');
  });
});
