import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EmptyResponse } from './empty-response.js';

let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    new EmptyResponse({ Allow: 'GET' }).send(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

describe('an EmptyResponse', () => {
  it.each(['GET', 'HEAD', 'DELETE'])(
    'to %s is 204 with its header fields and none about a body',
    async (method) => {
      const reply = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { method });
      expect([reply.status, await reply.text()]).toEqual([204, '']);
      expect(reply.headers.get('allow')).toBe('GET');
      for (const name of ['content-type', 'content-length', 'transfer-encoding', 'etag'])
        expect([name, reply.headers.get(name)]).toEqual([name, null]);
    },
  );
});
