import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import http from 'node:http';
import { type Battlefield, prepareBattlefield, vitalsAtRest } from './attacked-service.js';
import { crowd, send, untilResponse } from './hostile-client.js';
import { head } from './hostile-requests.js';

let field: Battlefield;

beforeAll(async () => {
  field = await prepareBattlefield();
});
afterAll(() => field.close());

describe('a listener that one address fills', () => {
  const most = 100;

  /** A request on a connection of its own; its status, or what went wrong. */
  const askFrom = (localAddress: string, origin: string, path: string): Promise<number | string> =>
    new Promise((resolve) => {
      const headers = { Authorization: `Bearer ${field.key}` };
      const request = http.get(`${origin}${path}`, { agent: false, localAddress, headers }, (response) => {
        response.resume().on('end', () => {
          resolve(response.statusCode ?? 0);
        });
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        resolve(error.code ?? error.message);
      });
    });

  // Elsewhere the loopback interface has one address only.
  (process.platform === 'linux' ? it.each : it.skip.each)([
    ['that say nothing', []],
    ['that have had one response', [send(head('GET', '/livez')), untilResponse(1_000)]],
  ])('has room for others, and for probes: connections %s', async (_what, steps) => {
    const service = await field.start({
      MAX_CONNECTIONS: String(most),
      MAX_CONNECTIONS_PER_ADDRESS: String(10 * most),
    });
    const left = new AbortController();
    const held = crowd(service.port, 2 * most, () => [...steps, () => once(left.signal, 'abort')]);
    await vitalsAtRest(service, ({ sockets }) => sockets === most, 5_000);
    const replies = [];
    for (let i = 0; i < 20; i++) {
      replies.push(await askFrom('127.0.0.2', service.origin, '/v1/pets?limit=1'));
      replies.push(await askFrom('127.0.0.3', service.origin, '/readyz'));
    }
    expect(replies).toEqual(replies.map(() => 200));
    left.abort();
    await held;
    const { inFlight, sockets } = await vitalsAtRest(service, (now) => now.sockets === 0, 5_000);
    expect({ inFlight, sockets }).toEqual({ inFlight: 0, sockets: 0 });
    await service.end('SIGKILL');
  });
});
